import java.util.Map;

public class Pool {
    public static final Map<String, Integer> MAPS = Map.of("NM1", 4393055, "HD1", 4392955, "TB1", 4344441);

    public static void main(String[] args) {
        System.out.println(MAPS.get("NM1"));
    }
}
