/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */
import { all, type Rule, rules } from "./rules.ts";

const $Amount: Rule = all(rules.type("string"), rules.pattern(/^(0|[1-9][0-9]{0,77})$/u));
const $extraCurrency: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("extraCurrency")), "id": all(rules.type("integer"), rules.minimum(-2147483648), rules.maximum(2147483647)), "amount": $Amount }, "@type", "id", "amount"));
const $LogicalTime: Rule = all(rules.type("string"), rules.pattern(/^(0|[1-9][0-9]{0,18})$/u));
const $Hash: Rule = all(rules.type("string"), rules.pattern(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/u), rules.minLength(44), rules.maxLength(44));
const $internal_transactionId: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("internal.transactionId")), "lt": $LogicalTime, "hash": $Hash }, "@type", "lt", "hash"));
const $Workchain: Rule = all(rules.type("integer"), rules.minimum(-2147483648), rules.maximum(2147483647));
const $ShardId: Rule = all(rules.type("string"), rules.pattern(/^(0|-?[1-9][0-9]{0,18})$/u));
const $Seqno: Rule = all(rules.type("integer"), rules.minimum(0), rules.maximum(4294967295));
const $chain_blockIdExt: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.pattern(/^[a-z][a-z0-9]*\.blockIdExt$/u)), "workchain": $Workchain, "shard": $ShardId, "seqno": $Seqno, "root_hash": $Hash, "file_hash": $Hash }, "@type", "workchain", "shard", "seqno", "root_hash", "file_hash"));
const $Boc: Rule = all(rules.type("string"), rules.pattern(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u));
const $FrozenHash: Rule = all(rules.type("string"), rules.pattern(/^([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)?$/u), rules.maxLength(44));
const $UnixTime: Rule = all(rules.type("integer"), rules.minimum(0), rules.maximum(4294967295));
const $AccountState: Rule = all(rules.type("string"), rules.minLength(1));
const $raw_fullAccountState: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("raw.fullAccountState")), "balance": $Amount, "extra_currencies": all(rules.type("array"), rules.items($extraCurrency)), "last_transaction_id": $internal_transactionId, "block_id": $chain_blockIdExt, "code": $Boc, "data": $Boc, "frozen_hash": $FrozenHash, "sync_utime": $UnixTime, "state": $AccountState, "suspended": rules.type("boolean") }, "@type", "balance", "extra_currencies", "last_transaction_id", "block_id", "code", "data", "frozen_hash", "sync_utime", "state"));
const $Base64: Rule = all(rules.type("string"), rules.pattern(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u));
const $ProofHead: Rule = all(rules.type("object"), rules.properties({ "block_id": $chain_blockIdExt, "header": $Base64, "signers": $Base64, "signatures": $Base64, "session": $Base64, "slot": rules.type("integer"), "candidate": $Base64 }, "block_id", "header", "signers", "signatures"));
const $ProofLink: Rule = all(rules.type("object"), rules.properties({ "config": $Base64, "head": $ProofHead }, "config", "head"));
const $Proof: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("chain.proof")), "head": $ProofHead, "links": all(rules.type("array"), rules.maxItems(16), rules.items($ProofLink)), "cells": $Base64 }));
const $Extra: Rule = rules.type("string");
const $GetAddressInformationEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $raw_fullAccountState, "proof": $Proof, "@extra": $Extra }, "ok", "result"));
const $FailureReason: Rule = all(rules.type("string"), rules.minLength(1));
const $Failure: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(false)), "error": all(rules.type("string"), rules.minLength(1)), "code": all(rules.type("integer"), rules.minimum(100), rules.maximum(600)), "reason": $FailureReason, "input": all(rules.type("string"), rules.minLength(1)), "@extra": $Extra }, "ok", "error", "code"));
const $ext_blocks_consensusBlock: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("ext.blocks.consensusBlock")), "consensus_block": $Seqno, "timestamp": $UnixTime }, "@type", "consensus_block", "timestamp"));
const $GetConsensusBlockEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $ext_blocks_consensusBlock, "proof": $Proof, "@extra": $Extra }, "ok", "result"));
const $blocks_masterchainInfo: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("blocks.masterchainInfo")), "last": $chain_blockIdExt, "state_root_hash": $Hash, "init": $chain_blockIdExt }, "@type", "last", "state_root_hash", "init"));
const $GetMasterchainInfoEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $blocks_masterchainInfo, "proof": $Proof, "@extra": $Extra }, "ok", "result"));
const $blocks_outMsgQueueSize: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("blocks.outMsgQueueSize")), "id": $chain_blockIdExt, "size": all(rules.type("integer"), rules.minimum(0)) }, "@type", "id", "size"));
const $blocks_outMsgQueueSizes: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("blocks.outMsgQueueSizes")), "shards": all(rules.type("array"), rules.items($blocks_outMsgQueueSize)), "ext_msg_queue_size_limit": all(rules.type("integer"), rules.minimum(0)) }, "@type", "shards", "ext_msg_queue_size_limit"));
const $GetOutMsgQueueSizeEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $blocks_outMsgQueueSizes, "proof": $Proof, "@extra": $Extra }, "ok", "result"));
const $AddressOrEmpty: Rule = all(rules.type("string"), rules.pattern(/^(-?[0-9]{1,10}:[0-9A-Fa-f]{64}|[A-Za-z0-9+/_-]{48})?$/u), rules.maxLength(76));
const $accountAddress: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("accountAddress")), "account_address": $AddressOrEmpty }, "@type", "account_address"));
const $msg_dataRaw: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("msg.dataRaw")), "body": $Boc, "init_state": $Boc }, "@type", "body", "init_state"));
const $msg_dataText: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("msg.dataText")), "text": $Base64 }, "@type", "text"));
const $msg_dataEncryptedText: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("msg.dataEncryptedText")), "text": $Base64 }, "@type", "text"));
const $msg_dataDecryptedText: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("msg.dataDecryptedText")), "text": $Base64 }, "@type", "text"));
const $MessageContent: Rule = rules.discriminator("@type", { "msg.dataRaw": $msg_dataRaw, "msg.dataText": $msg_dataText, "msg.dataEncryptedText": $msg_dataEncryptedText, "msg.dataDecryptedText": $msg_dataDecryptedText });
const $raw_message: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("raw.message")), "hash": $Hash, "source": $accountAddress, "destination": $accountAddress, "value": $Amount, "extra_currencies": all(rules.type("array"), rules.items($extraCurrency)), "fwd_fee": $Amount, "ihr_fee": $Amount, "created_lt": $LogicalTime, "body_hash": $Hash, "msg_data": $MessageContent }, "@type", "hash", "source", "destination", "value", "extra_currencies", "fwd_fee", "ihr_fee", "created_lt", "body_hash", "msg_data"));
const $raw_transaction: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("raw.transaction")), "address": $accountAddress, "utime": $UnixTime, "data": $Boc, "transaction_id": $internal_transactionId, "fee": $Amount, "storage_fee": $Amount, "other_fee": $Amount, "in_msg": $raw_message, "out_msgs": all(rules.type("array"), rules.items($raw_message)) }, "@type", "address", "utime", "data", "transaction_id", "fee", "storage_fee", "other_fee", "out_msgs"));
const $raw_transactions: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("raw.transactions")), "transactions": all(rules.type("array"), rules.items($raw_transaction)), "previous_transaction_id": $internal_transactionId }, "@type", "transactions", "previous_transaction_id"));
const $GetTransactionsStdEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $raw_transactions, "proof": $Proof, "@extra": $Extra, "jsonrpc": rules.type("string"), "id": rules.type("string") }, "ok", "result"));
const $LookupBlockEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $chain_blockIdExt, "proof": $Proof, "@extra": $Extra }, "ok", "result"));
const $RawAddress: Rule = all(rules.type("string"), rules.pattern(/^-?[0-9]{1,10}:[0-9A-F]{64}$/u));
const $ext_message: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("ext.message")), "hash": $Hash, "source": $AddressOrEmpty, "destination": $AddressOrEmpty, "value": $Amount, "extra_currencies": all(rules.type("array"), rules.items($extraCurrency)), "fwd_fee": $Amount, "ihr_fee": $Amount, "created_lt": $LogicalTime, "body_hash": $Hash, "msg_data": $MessageContent, "message": rules.type("string"), "message_decode_error": rules.type("string") }, "@type", "hash", "source", "destination", "value", "extra_currencies", "fwd_fee", "ihr_fee", "created_lt", "body_hash", "msg_data"));
const $ext_transaction: Rule = all(rules.type("object"), rules.properties({ "@type": all(rules.type("string"), rules.const("ext.transaction")), "address": $accountAddress, "account": $RawAddress, "utime": $UnixTime, "data": $Boc, "transaction_id": $internal_transactionId, "fee": $Amount, "storage_fee": $Amount, "other_fee": $Amount, "in_msg": $ext_message, "out_msgs": all(rules.type("array"), rules.items($ext_message)) }, "@type", "address", "account", "utime", "data", "transaction_id", "fee", "storage_fee", "other_fee", "out_msgs"));
const $TryLocateResultTxEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $ext_transaction, "proof": $Proof, "@extra": $Extra }, "ok", "result"));
const $TryLocateSourceTxEnvelope: Rule = all(rules.type("object"), rules.properties({ "ok": all(rules.type("boolean"), rules.const(true)), "result": $ext_transaction, "proof": $Proof, "@extra": $Extra }, "ok", "result"));

/** The responses of each operation. */
export const responses: Record<string, { success: Rule; failure: Rule }> = {
  getAddressInformation: { success: $GetAddressInformationEnvelope, failure: $Failure },
  getConsensusBlock: { success: $GetConsensusBlockEnvelope, failure: $Failure },
  getMasterchainInfo: { success: $GetMasterchainInfoEnvelope, failure: $Failure },
  getOutMsgQueueSize: { success: $GetOutMsgQueueSizeEnvelope, failure: $Failure },
  getTransactionsStd: { success: $GetTransactionsStdEnvelope, failure: $Failure },
  lookupBlock: { success: $LookupBlockEnvelope, failure: $Failure },
  tryLocateResultTx: { success: $TryLocateResultTxEnvelope, failure: $Failure },
  tryLocateSourceTx: { success: $TryLocateSourceTxEnvelope, failure: $Failure },
};
