//! Files, connections and variables are errors; there are no arguments, and stdin is empty.
use std::io::{ErrorKind, Read};

fn main() {
    assert_eq!(std::fs::File::open("file").unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(std::net::TcpStream::connect("127.0.0.1:80").unwrap_err().kind(), ErrorKind::Unsupported);
    assert!(std::env::var("HOME").is_err());
    assert_eq!(std::env::args().count(), 0);
    assert_eq!(std::io::stdin().read(&mut [0; 8]).unwrap(), 0);
    chiasmus_guest::exit(3); // std::process::exit is a trap
}
