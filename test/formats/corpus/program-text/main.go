package main

import "fmt"

var pool = map[string]int{"NM1": 75, "NM2": 4384687, "DT1": 4384672}

func main() {
	for label, id := range pool {
		fmt.Println(label, id)
	}
}
