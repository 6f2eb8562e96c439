//! Runs a block's transactions, and the protocol's calls before and after them.
use crate::{
    Refusal,
    chain::Rules,
    receipts::{self, Blooms},
    refusal::{must_equal, refuse},
    requests,
    state::State,
    transactions,
};
use alloy_consensus::Header;
use alloy_eips::{
    eip2935::HISTORY_STORAGE_ADDRESS, eip4788::BEACON_ROOTS_ADDRESS, eip4844::DATA_GAS_PER_BLOB, eip4895::Withdrawal,
};
use alloy_primitives::{Address, Bloom, Bytes, KECCAK256_EMPTY, U256};
use revm::{
    Context, ExecuteEvm, MainBuilder, MainContext, MainnetEvm, SystemCallEvm,
    context::{BlockEnv, CfgEnv, ContextTr, TxEnv},
    context_interface::{JournalTr, block::BlobExcessGasAndPrice, result::ExecutionResult},
    handler::MainnetContext,
    primitives::hardfork::SpecId,
    state::EvmState,
};

type Evm<'a> = MainnetEvm<MainnetContext<State<'a>>>;

/// Runs a block from a state. It checks the header's fields for gas, blobs, receipts and requests, and returns the
/// changed accounts. The caller checks the root of the state.
pub fn run<'a>(
    h: &Header,
    rules: &Rules,
    state: State<'a>,
    encoded: &[&[u8]],
    withdrawals: &[Withdrawal],
) -> Result<(State<'a>, EvmState), Refusal> {
    let context = Context::mainnet().with_db(state).with_block(environment(h, rules)).with_cfg(configuration(rules));
    let mut evm: Evm<'a> = context.build_mainnet();
    if let Some(root) = h.parent_beacon_block_root {
        call(&mut evm, BEACON_ROOTS_ADDRESS, Bytes::copy_from_slice(&root[..]))?;
    }
    if rules.has(SpecId::PRAGUE) {
        call(&mut evm, HISTORY_STORAGE_ADDRESS, Bytes::copy_from_slice(&h.parent_hash[..]))?;
    }
    let deposits = run_transactions(h, rules, &mut evm, encoded)?;
    for w in withdrawals {
        evm.ctx.journal_mut().balance_incr(w.address, U256::from(w.amount) * U256::from(1_000_000_000u64))?;
    }
    if let Some(said) = h.requests_hash {
        let mut all = vec![(0, deposits)];
        for (kind, contract) in requests::CONTRACTS {
            if evm.ctx.journal_mut().load_account(contract)?.info.code_hash == KECCAK256_EMPTY {
                refuse!("requests: there is no contract at {contract}");
            }
            match call(&mut evm, contract, Bytes::new())? {
                ExecutionResult::Success { output, .. } => all.push((kind, output.into_data().to_vec())),
                failed => refuse!("requests: the call of {contract} fails: {failed:?}"),
            }
        }
        must_equal!(said, requests::hash(&all), "requests' hash");
    }
    let changed = evm.finalize();
    Ok((evm.ctx.journaled_state.database, changed))
}

fn environment(h: &Header, rules: &Rules) -> BlockEnv {
    let fraction = rules.blobs.map_or(0, |b| b.update_fraction as u64);
    BlockEnv {
        number: U256::from(h.number),
        beneficiary: h.beneficiary,
        timestamp: U256::from(h.timestamp),
        gas_limit: h.gas_limit,
        basefee: h.base_fee_per_gas.unwrap_or(0),
        prevrandao: Some(h.mix_hash),
        blob_excess_gas_and_price: h.excess_blob_gas.map(|excess| BlobExcessGasAndPrice::new(excess, fraction)),
        ..Default::default()
    }
}

fn configuration(rules: &Rules) -> CfgEnv {
    let mut c = CfgEnv::new().with_spec_and_mainnet_gas_params(rules.spec).with_chain_id(rules.chain_id);
    if let Some(blobs) = rules.blobs {
        c.set_max_blobs_per_tx(blobs.max_blobs_per_tx);
        c.blob_base_fee_update_fraction = Some(blobs.update_fraction as u64);
    }
    c
}

/// A call by the protocol itself: it costs no gas, and has no effect if there is no contract.
fn call(evm: &mut Evm<'_>, contract: Address, data: Bytes) -> Result<ExecutionResult, Refusal> {
    evm.system_call_one(contract, data).map_err(|e| Refusal::new(format!("call of {contract}: {e}")))
}

/// Runs the transactions, checks their gas, blobs and receipts, and returns the deposits in their logs.
fn run_transactions(h: &Header, rules: &Rules, evm: &mut Evm<'_>, encoded: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let (mut gas, mut blobs, mut bloom) = (0u64, 0u64, Bloom::ZERO);
    let (mut receipts, mut deposits, mut blooms) = (Vec::with_capacity(encoded.len()), vec![], Blooms::default());
    for (i, bytes) in encoded.iter().enumerate() {
        let tx = transactions::read(i, bytes)?;
        let kind = tx.tx_type;
        if tx.gas_limit > h.gas_limit - gas {
            refuse!("transaction {i}: its gas limit is {}, and {} are left", tx.gas_limit, h.gas_limit - gas);
        }
        blobs += tx.blob_hashes.len() as u64;
        let result = transact(evm, i, tx)?;
        gas += result.tx_gas_used();
        let success = result.is_success();
        let logs = result.into_logs();
        if rules.has(SpecId::PRAGUE) {
            requests::deposits(&logs, rules.deposits, &mut deposits)?;
        }
        let its_bloom = blooms.of(&logs);
        bloom |= its_bloom;
        receipts.push(receipts::encode(kind, success, gas, &its_bloom, &logs));
    }
    must_equal!(h.gas_used, gas, "gas used");
    if let Some(said) = h.blob_gas_used {
        must_equal!(said, blobs * DATA_GAS_PER_BLOB, "blob gas used");
        let most = rules.blobs.map_or(0, |b| b.max_blob_count);
        if blobs > most {
            refuse!("blobs: {blobs}, at most {most}");
        }
    }
    must_equal!(h.logs_bloom, bloom, "logs' bloom");
    let receipts: Vec<&[u8]> = receipts.iter().map(|r| &r[..]).collect();
    must_equal!(h.receipts_root, crate::ordered::root(&receipts)?, "receipts' root");
    Ok(deposits)
}

fn transact(evm: &mut Evm<'_>, i: usize, tx: TxEnv) -> Result<ExecutionResult, Refusal> {
    evm.transact_one(tx).map_err(|e| Refusal::new(format!("transaction {i}: {e}")))
}
