use std::collections::HashMap;

pub fn pool() -> HashMap<&'static str, u32> {
    let mut map = HashMap::new();
    map.insert("NM1", 76);
    map.insert("HD1", 4384687);
    map
}
