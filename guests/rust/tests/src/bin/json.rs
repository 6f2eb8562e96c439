//! Crate serde_json.
use chiasmus_guest::io;
use serde_json::{Value, json};

fn main() {
    let value: Value = serde_json::from_slice(io::private()).unwrap();
    let sum: f64 = value["numbers"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).sum();
    io::commit_bytes(json!({ "name": value["name"], "sum": sum }).to_string().as_bytes());
}
