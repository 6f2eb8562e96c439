//! Crate revm: runs transactions on a database in memory, and writes their results and gas. The Yellow Paper, EIPs and
//! go-ethereum say what these are: guests/rust/run compares the output with `expected`.
use chiasmus_guest::io;
use revm::context::{
    TxEnv,
    result::ExecutionResult,
    transaction::{AccessList, AccessListItem},
};
use revm::database::{CacheDB, EmptyDB};
use revm::primitives::{Address, B256, Bytes, TxKind, U256, address, hardfork::SpecId, hex};
use revm::state::{AccountInfo, Bytecode};
use revm::{Context, ExecuteCommitEvm, MainBuilder, MainContext};

/// The account of go-ethereum's TestNewContractAddress, which knows the addresses of its contracts.
const SENDER: Address = address!("970e8128ab834e8eac17ab8e3812f010678cf791");

/// Creates a contract that calls ecrecover with its input, stores the result at the input's hash, and returns it.
const RECOVERS: [u8; 36] = hex!(
    "601b8060095f395ff3" // codecopy, return
    "365f5f37" // calldatacopy
    "60206080365f60015afa50" // staticcall of address 1
    "60805136" "5f2055" // sstore(keccak256(input), result)
    "60206080f3" // return
);

/// EIP-155's example: its hash, 27 and its signature, as ecrecover takes them.
const SIGNED: [u8; 128] = hex!(
    "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53"
    "000000000000000000000000000000000000000000000000000000000000001b"
    "28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276"
    "67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
);

/// An account and the code with which it makes EIP-1014's example 1: create2 of one zero, without value and salt.
const FACTORY: Address = address!("deadbeef00000000000000000000000000000000");
const CREATES: &[u8] = &hex!("5f60015f5ff55f5260205ff3");

/// EIP-3529's test cases: code that writes to slot 0, and what the slot holds before.
const WRITES: [(&[u8], u64); 17] = [
    (&hex!("60006000556000600055"), 0),
    (&hex!("60006000556001600055"), 0),
    (&hex!("60016000556000600055"), 0),
    (&hex!("60016000556002600055"), 0),
    (&hex!("60016000556001600055"), 0),
    (&hex!("60006000556000600055"), 1),
    (&hex!("60006000556001600055"), 1),
    (&hex!("60006000556002600055"), 1),
    (&hex!("60026000556000600055"), 1),
    (&hex!("60026000556003600055"), 1),
    (&hex!("60026000556001600055"), 1),
    (&hex!("60026000556002600055"), 1),
    (&hex!("60016000556000600055"), 1),
    (&hex!("60016000556002600055"), 1),
    (&hex!("60016000556001600055"), 1),
    (&hex!("600160005560006000556001600055"), 0),
    (&hex!("600060005560016000556000600055"), 1),
];

/// The account with the code of a case.
fn writer(case: usize) -> Address {
    Address::with_last_byte(0xc0 + case as u8)
}

fn state() -> CacheDB<EmptyDB> {
    let mut state = CacheDB::default();
    let mut account = |at, code: &'static [u8]| {
        state.insert_account_info(at, AccountInfo::from_bytecode(Bytecode::new_raw(Bytes::from_static(code))));
    };
    account(FACTORY, CREATES);
    WRITES.iter().enumerate().for_each(|(i, (code, _))| account(writer(i), code));
    for (i, (_, before)) in WRITES.iter().enumerate() {
        state.insert_account_storage(writer(i), U256::ZERO, U256::from(*before)).unwrap();
    }
    state
}

fn main() {
    chiasmus_guest::ethereum::install();
    let context = Context::mainnet().modify_cfg_chained(|c| c.set_spec_and_mainnet_gas_params(SpecId::PRAGUE));
    let mut evm = context.with_db(state()).build_mainnet();
    let mut nonce = 0;
    let mut transact = |kind, data: &'static [u8], access_list| {
        let transaction = TxEnv::builder().caller(SENDER).nonce(nonce).kind(kind).data(Bytes::from_static(data));
        nonce += 1;
        let transaction = transaction.gas_limit(1_000_000).access_list(access_list).build().unwrap();
        let ExecutionResult::Success { gas, output, .. } = evm.transact_commit(transaction).unwrap() else {
            panic!("transaction {} fails", nonce - 1)
        };
        (gas, output)
    };
    let mut report = String::new();

    let (gas, output) = transact(TxKind::Create, &RECOVERS, AccessList::default());
    let created = *output.address().unwrap();
    report += &format!("created {created:x} {}\n", gas.tx_gas_used());
    for (to, data) in [(created, &SIGNED[..]), (created, &SIGNED), (FACTORY, &[])] {
        let (gas, output) = transact(TxKind::Call(to), data, AccessList::default());
        report += &format!("returned {} {}\n", hex::encode(output.data()), gas.tx_gas_used());
    }
    // The cases assume a warm slot. A transaction with this list costs 25,300 without execution.
    for i in 0..WRITES.len() {
        let slot = AccessListItem { address: writer(i), storage_keys: vec![B256::ZERO] };
        let (gas, _) = transact(TxKind::Call(writer(i)), &[], vec![slot].into());
        report += &format!("used {} refunded {}\n", gas.total_gas_spent() - 25_300, gas.final_refunded());
    }
    io::commit_bytes(report.as_bytes());
}
