using System;
using System.Collections.Generic;

class Program {
    static readonly Dictionary<string, int> Pool = new() { ["NM1"] = 4344450, ["HR1"] = 77 };
    static void Main() {
        foreach (var slot in Pool) Console.WriteLine($"{slot.Key} {slot.Value}");
    }
}
