//! Links the verifier in C. It is two folders up, also in an installed kit.
fn main() {
    println!("cargo::rerun-if-changed=../../sdk/libzkvm_verify.a");
    let variable = |name| std::env::var(name).expect("cargo sets it");
    if variable("CARGO_CFG_TARGET_ARCH") != "riscv64" {
        println!("cargo::error=chiasmus-verify is for guests: build the program with prover build");
    }
    println!("cargo::rustc-link-search=native={}/../../sdk", variable("CARGO_MANIFEST_DIR"));
    println!("cargo::rustc-link-lib=static=zkvm_verify");
}
