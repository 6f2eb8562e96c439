//! Links the kit's library for C for programs that use it. It is two folders up, also in an installed kit.
fn main() {
    println!("cargo::rerun-if-changed=../../sdk/libzkvm.a");
    if std::env::var_os("CARGO_FEATURE_LIBRARY").is_some() {
        let folder = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
        println!("cargo::rustc-link-search=native={folder}/../../sdk");
        println!("cargo::rustc-link-lib=static=zkvm");
    }
}
