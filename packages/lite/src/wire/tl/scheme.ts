/**
 * The functions and types of a lite server, in the TL language. A line's constructor id is the CRC32 of the line, unless it is written
 * after a `#`.
 */
import type { AccountId, BlockId } from "@chain-query/format/identifiers";

/** Types of lite servers, and of what validators sign. */
export const types = [
  "tonNode.blockId workchain:int shard:long seqno:int = tonNode.BlockId",
  "tonNode.blockIdExt workchain:int shard:long seqno:int root_hash:int256 file_hash:int256 = tonNode.BlockIdExt",
  "tonNode.zeroStateIdExt workchain:int root_hash:int256 file_hash:int256 = tonNode.ZeroStateIdExt",
  "liteServer.error code:int message:string = liteServer.Error",
  "liteServer.accountId workchain:int id:int256 = liteServer.AccountId",
  "liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfo",
  "liteServer.masterchainInfoExt mode:# version:int capabilities:long last:tonNode.blockIdExt last_utime:int now:int state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfoExt",
  "liteServer.currentTime now:int = liteServer.CurrentTime",
  "liteServer.version mode:# version:int capabilities:long now:int = liteServer.Version",
  "liteServer.blockData id:tonNode.blockIdExt data:bytes = liteServer.BlockData",
  "liteServer.blockState id:tonNode.blockIdExt root_hash:int256 file_hash:int256 data:bytes = liteServer.BlockState",
  "liteServer.blockHeader id:tonNode.blockIdExt mode:# header_proof:bytes = liteServer.BlockHeader",
  "liteServer.accountState id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes proof:bytes state:bytes = liteServer.AccountState",
  "liteServer.shardInfo id:tonNode.blockIdExt shardblk:tonNode.blockIdExt shard_proof:bytes shard_descr:bytes = liteServer.ShardInfo",
  "liteServer.allShardsInfo id:tonNode.blockIdExt proof:bytes data:bytes = liteServer.AllShardsInfo",
  "liteServer.transactionInfo id:tonNode.blockIdExt proof:bytes transaction:bytes = liteServer.TransactionInfo",
  "liteServer.transactionList ids:(vector tonNode.blockIdExt) transactions:bytes = liteServer.TransactionList",
  "liteServer.transactionMetadata mode:# depth:int initiator:liteServer.accountId initiator_lt:long = liteServer.TransactionMetadata",
  "liteServer.transactionId#b12f65af mode:# account:mode.0?int256 lt:mode.1?long hash:mode.2?int256 metadata:mode.8?liteServer.transactionMetadata = liteServer.TransactionId",
  "liteServer.transactionId3 account:int256 lt:long = liteServer.TransactionId3",
  "liteServer.blockTransactions id:tonNode.blockIdExt req_count:# incomplete:Bool ids:(vector liteServer.transactionId) proof:bytes = liteServer.BlockTransactions",
  "liteServer.blockTransactionsExt id:tonNode.blockIdExt req_count:# incomplete:Bool transactions:bytes proof:bytes = liteServer.BlockTransactionsExt",
  "liteServer.signature node_id_short:int256 signature:bytes = liteServer.Signature",
  "liteServer.signatureSet.ordinary#f644a6e6 validator_set_hash:int catchain_seqno:int signatures:(vector liteServer.signature) = liteServer.SignatureSet",
  "liteServer.signatureSet.simplex cc_seqno:int validator_set_hash:int signatures:(vector liteServer.signature) session_id:int256 slot:int candidate:bytes = liteServer.SignatureSet",
  "liteServer.blockLinkBack to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes proof:bytes state_proof:bytes = liteServer.BlockLink",
  "liteServer.blockLinkForward to_key_block:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt dest_proof:bytes config_proof:bytes signatures:liteServer.SignatureSet = liteServer.BlockLink",
  "liteServer.partialBlockProof complete:Bool from:tonNode.blockIdExt to:tonNode.blockIdExt steps:(vector liteServer.BlockLink) = liteServer.PartialBlockProof",
  "liteServer.configInfo mode:# id:tonNode.blockIdExt state_proof:bytes config_proof:bytes = liteServer.ConfigInfo",
  "liteServer.shardBlockLink id:tonNode.blockIdExt proof:bytes = liteServer.ShardBlockLink",
  "liteServer.shardBlockProof masterchain_id:tonNode.blockIdExt links:(vector liteServer.shardBlockLink) = liteServer.ShardBlockProof",
  "liteServer.lookupBlockResult id:tonNode.blockIdExt mode:# mc_block_id:tonNode.blockIdExt client_mc_state_proof:bytes mc_block_proof:bytes shard_links:(vector liteServer.shardBlockLink) header:bytes prev_header:bytes = liteServer.LookupBlockResult",
  "liteServer.outMsgQueueSize id:tonNode.blockIdExt size:int = liteServer.OutMsgQueueSize",
  "liteServer.outMsgQueueSizes shards:(vector liteServer.outMsgQueueSize) ext_msg_queue_size_limit:int = liteServer.OutMsgQueueSizes",
  "liteServer.blockOutMsgQueueSize mode:# id:tonNode.blockIdExt size:long proof:mode.0?bytes = liteServer.BlockOutMsgQueueSize",
  "liteProxy.requestRateLimit limit:int per_time:int = liteProxy.RequestRateLimit",
] as const;

/** Functions. All of them only read. */
export const functions = [
  "liteServer.getMasterchainInfo = liteServer.MasterchainInfo",
  "liteServer.getMasterchainInfoExt mode:# = liteServer.MasterchainInfoExt",
  "liteServer.getTime = liteServer.CurrentTime",
  "liteServer.getVersion = liteServer.Version",
  "liteServer.getBlock id:tonNode.blockIdExt = liteServer.BlockData",
  "liteServer.getState id:tonNode.blockIdExt = liteServer.BlockState",
  "liteServer.getBlockHeader id:tonNode.blockIdExt mode:# = liteServer.BlockHeader",
  "liteServer.lookupBlock mode:# id:tonNode.blockId lt:mode.1?long utime:mode.2?int = liteServer.BlockHeader",
  "liteServer.lookupBlockWithProof mode:# id:tonNode.blockId mc_block_id:tonNode.blockIdExt lt:mode.1?long utime:mode.2?int = liteServer.LookupBlockResult",
  "liteServer.getAccountState id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState",
  "liteServer.getAccountStatePrunned id:tonNode.blockIdExt account:liteServer.accountId = liteServer.AccountState",
  "liteServer.getShardInfo id:tonNode.blockIdExt workchain:int shard:long exact:Bool = liteServer.ShardInfo",
  "liteServer.getAllShardsInfo id:tonNode.blockIdExt = liteServer.AllShardsInfo",
  "liteServer.getOneTransaction id:tonNode.blockIdExt account:liteServer.accountId lt:long = liteServer.TransactionInfo",
  "liteServer.getTransactions count:# account:liteServer.accountId lt:long hash:int256 = liteServer.TransactionList",
  "liteServer.listBlockTransactions id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactions",
  "liteServer.listBlockTransactionsExt id:tonNode.blockIdExt mode:# count:# after:mode.7?liteServer.transactionId3 reverse_order:mode.6?true want_proof:mode.5?true = liteServer.BlockTransactionsExt",
  "liteServer.getBlockProof mode:# known_block:tonNode.blockIdExt target_block:mode.0?tonNode.blockIdExt = liteServer.PartialBlockProof",
  "liteServer.getConfigAll mode:# id:tonNode.blockIdExt = liteServer.ConfigInfo",
  "liteServer.getConfigParams mode:# id:tonNode.blockIdExt param_list:(vector int) = liteServer.ConfigInfo",
  "liteServer.getShardBlockProof id:tonNode.blockIdExt = liteServer.ShardBlockProof",
  "liteServer.getOutMsgQueueSizes mode:# wc:mode.0?int shard:mode.0?long = liteServer.OutMsgQueueSizes",
  "liteServer.getBlockOutMsgQueueSize mode:# id:tonNode.blockIdExt want_proof:mode.0?true = liteServer.BlockOutMsgQueueSize",
  "liteProxy.getRequestRateLimit = liteProxy.RequestRateLimit",
] as const;

/** The prefix of a function that makes the server wait for a masterchain block. */
export const waitPrefix = "liteServer.waitMasterchainSeqno seqno:int timeout_ms:int = Object";

type TypeLine = (typeof types)[number];
type FunctionLine = (typeof functions)[number];

/** `get_block` is `getBlock`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;
/** Shows an intersection as one object. */
type Flat<Type> = Type extends unknown ? { [Key in keyof Type]: Type[Key] } : never;

type NameOf<Line> = Line extends `${infer Name}#${string}`
  ? Name extends `${string} ${string}`
    ? FirstWord<Line>
    : Name
  : FirstWord<Line>;
type FirstWord<Line> = Line extends `${infer Name} ${string}` ? Name : never;
type ResultOf<Line> = Line extends `${string} = ${infer Result}` ? Result : never;
type Unqualified<Name> = Name extends `${string}.${infer Rest}` ? Rest : never;

interface Known {
  int: number;
  "#": number;
  long: bigint;
  int256: Uint8Array;
  bytes: Uint8Array;
  string: string;
  Bool: boolean;
  "tonNode.blockIdExt": BlockId;
  "liteServer.accountId": AccountId;
}

type LineByName = { [Line in TypeLine as NameOf<Line>]: Line };

/** The value of a type: a known one, a vector, a bare type by its name, or a boxed type, which is one of several. */
type Value<Type extends string> = Type extends keyof Known
  ? Known[Type]
  : Type extends `(vector ${infer Item})`
    ? readonly Value<Item>[]
    : Type extends keyof LineByName
      ? RecordOf<LineByName[Type]>
      : Boxed<Type>;
/** The field `type` names one of several constructors, or one whose name differs from its type's. */
type Boxed<Type extends string, Line = TypeLine> = Line extends `${string} = ${Type}`
  ? [NameOf<Line>, Exclude<Extract<TypeLine, `${string} = ${Type}`>, Line>] extends [UncapitalizedLast<Type>, never]
    ? RecordOf<Line>
    : Flat<{ readonly type: Unqualified<NameOf<Line>> } & RecordOf<Line>>
  : never;
type UncapitalizedLast<Type> = Type extends `${infer Package}.${infer Name}` ? `${Package}.${Uncapitalize<Name>}` : never;

type RecordOf<Line> = Line extends `${infer Left} = ${string}`
  ? Left extends `${string} ${infer Fields}`
    ? Flat<FieldsOf<Fields>>
    : Record<never, never>
  : never;
type FieldsOf<Text extends string> = Text extends `${infer Name}:${infer Rest}`
  ? Rest extends `(vector ${infer Item}) ${infer Tail}`
    ? Field<Name, `(vector ${Item})`> & FieldsOf<Tail>
    : Rest extends `(vector ${string})`
      ? Field<Name, Rest>
      : Rest extends `${infer Type} ${infer Tail}`
        ? Field<Name, Type> & FieldsOf<Tail>
        : Field<Name, Rest>
  : unknown;
/** A flag of `mode` takes no bytes and is no field. */
type Field<Name extends string, Type extends string> = Type extends `mode.${number}?true`
  ? unknown
  : Type extends `mode.${number}?${infer Inner}`
    ? { readonly [Key in Camel<Name>]?: Value<Inner> | undefined }
    : { readonly [Key in Camel<Name>]: Value<Type> };
/** Name of a function without its package. */
export type LiteFunction = Unqualified<NameOf<FunctionLine>>;

/**
 * The arguments of a function, by the names of the scheme in camel case. Optional ones must be there if, and only if, their bit of
 * `mode` is set; flags are only in `mode`. A `tonNode.blockIdExt` is a `BlockId`, a `liteServer.accountId` an `AccountId`.
 */
export type LiteArguments<Name extends LiteFunction> = ArgumentsByName[Name];
type ArgumentsByName = { [Line in FunctionLine as Unqualified<NameOf<Line>>]: RecordOf<Line> };

/** The answer of a function, by the names of the scheme in camel case. */
export type LiteAnswer<Name extends LiteFunction> = AnswerByName[Name];
type AnswerByName = { [Line in FunctionLine as Unqualified<NameOf<Line>>]: Boxed<ResultOf<Line>> };

/** The signatures of a block, in one of the forms of the network. */
export type LiteSignatureSet = Boxed<"liteServer.SignatureSet">;
