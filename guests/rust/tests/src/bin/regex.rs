//! Crate regex.
use chiasmus_guest::io;
use regex::Regex;

fn main() {
    let text = std::str::from_utf8(io::private()).unwrap();
    let dates = Regex::new(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})").unwrap();
    let found: Vec<String> = dates.captures_iter(text).map(|c| format!("{}.{}.{}", &c["day"], &c["month"], &c["year"])).collect();
    io::commit_bytes(found.join(" ").as_bytes());
}
