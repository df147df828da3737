/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */
import type { ResultOf } from "@chain-query/types";
import { type Answering, apiFailure } from "./answers.ts";

/**
 * Results of the contract's examples, by operation and condition. Copy one to change it: it is shared.
 *
 * @example
 * ```ts
 * const rich = { ...fixtures.getAddressInformation.active, balance: "1000000000000" };
 * ```
 */
export const fixtures: {
  readonly getAddressInformation: {
    /** A wallet that is in use. */
    readonly active: ResultOf<"getAddressInformation">;
    /** An account that has no code yet. */
    readonly uninitialized: ResultOf<"getAddressInformation">;
    /** An account that storage fees have frozen. */
    readonly frozen: ResultOf<"getAddressInformation">;
    /** An account as it was at an earlier block. */
    readonly "as-of-block": ResultOf<"getAddressInformation">;
  };
  readonly getConsensusBlock: {
    /** The nodes agree on the head. */
    readonly current: ResultOf<"getConsensusBlock">;
    /** The nodes agree on an earlier block. */
    readonly lagging: ResultOf<"getConsensusBlock">;
  };
  readonly getMasterchainInfo: {
    /** The head of the chain. */
    readonly head: ResultOf<"getMasterchainInfo">;
    /** A chain one block old. */
    readonly "young-chain": ResultOf<"getMasterchainInfo">;
  };
  readonly getOutMsgQueueSize: {
    /** No message waits. */
    readonly idle: ResultOf<"getOutMsgQueueSize">;
    /** Messages wait in both shards. */
    readonly backlog: ResultOf<"getOutMsgQueueSize">;
  };
  readonly getTransactionsStd: {
    /** The two most recent transactions. */
    readonly "first-page": ResultOf<"getTransactionsStd">;
    /** The page after the first. */
    readonly "next-page": ResultOf<"getTransactionsStd">;
    /** The page that ends the history. */
    readonly "last-page": ResultOf<"getTransactionsStd">;
    /** Nothing newer than to_lt. */
    readonly "empty-page": ResultOf<"getTransactionsStd">;
  };
  readonly lookupBlock: {
    /** The block at the head of the chain. */
    readonly head: ResultOf<"lookupBlock">;
    /** The masterchain block with a seqno. */
    readonly "by-seqno": ResultOf<"lookupBlock">;
    /** The basechain block that contains an lt. */
    readonly "by-lt": ResultOf<"lookupBlock">;
    /** The first block at or after a time. */
    readonly "by-unixtime": ResultOf<"lookupBlock">;
  };
  readonly tryLocateResultTx: {
    /** The transaction that received a transfer. */
    readonly transfer: ResultOf<"tryLocateResultTx">;
  };
  readonly tryLocateSourceTx: {
    /** The transaction that sent a transfer. */
    readonly transfer: ResultOf<"tryLocateSourceTx">;
  };
} = {
  getAddressInformation: {
    active: {"@type":"raw.fullAccountState","balance":"7492615706","extra_currencies":[{"@type":"extraCurrency","id":7,"amount":"2500"}],"last_transaction_id":{"@type":"internal.transactionId","lt":"18651000001","hash":"8Xa2CpSU0HYoufZIjA1IvmVOKhB5qmt1LktwyePSju8="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":20163,"root_hash":"sR+NdAYmg7BCE7M8oEM8txQsZcyZN+/N+Kcp0OrajZY=","file_hash":"lqxePFTftJiCB8TTCZ2G9pRUtpTI7RH/n8fHI9oqzwo="},"code":"te6cckEBAQEARwAAiv8AIN2k8mCDCNcYIPkBAdMfAfgjvPKj0x/tRNDTH9P/UyS68qFUdWH5EPKi+AACpMjLH8v/zsntVCDXSpbTB9QC+wDk0Y4Jeys=","data":"te6cckEBAQEAJgAASAAAAAIZskDtWOW3pCUusAvTgaWBsGKyAXq1zq5dWPja9xKt3gU4j40=","frozen_hash":"","sync_utime":1767326415,"state":"active"},
    uninitialized: {"@type":"raw.fullAccountState","balance":"2000000000","extra_currencies":[],"last_transaction_id":{"@type":"internal.transactionId","lt":"14403000001","hash":"ISQ5bkccrR8xU89P8fCoJw4mJHs3QARNCJG8VhCCmL4="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":20163,"root_hash":"sR+NdAYmg7BCE7M8oEM8txQsZcyZN+/N+Kcp0OrajZY=","file_hash":"lqxePFTftJiCB8TTCZ2G9pRUtpTI7RH/n8fHI9oqzwo="},"code":"","data":"","frozen_hash":"","sync_utime":1767326415,"state":"uninitialized"},
    frozen: {"@type":"raw.fullAccountState","balance":"0","extra_currencies":[],"last_transaction_id":{"@type":"internal.transactionId","lt":"14403000001","hash":"XIHw2hppauDT9BpYBt5p4wzuCTdVmlf8g/Fnw3ly++0="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":20163,"root_hash":"sR+NdAYmg7BCE7M8oEM8txQsZcyZN+/N+Kcp0OrajZY=","file_hash":"lqxePFTftJiCB8TTCZ2G9pRUtpTI7RH/n8fHI9oqzwo="},"code":"","data":"","frozen_hash":"vdtFlzDFh7vXvDHzQAL8STvWkd1j+aeQ/E4Yru5QJr0=","sync_utime":1767326415,"state":"frozen"},
    "as-of-block": {"@type":"raw.fullAccountState","balance":"12000000000","extra_currencies":[],"last_transaction_id":{"@type":"internal.transactionId","lt":"1438000001","hash":"zEAu3LLxWuA0PLkHDKIpb5xxdKiTgfnPjDQQiy8c7fg="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":1439,"root_hash":"FvU8ae5QKdstRVUnMigGeYgMilTR1uA3Z0ee1F7c+4I=","file_hash":"U1dwCVky3aco78d4Pnajcmn35gssROGE7wF9DUa0saA="},"code":"","data":"","frozen_hash":"","sync_utime":1767232795,"state":"uninitialized"},
  },
  getConsensusBlock: {
    current: {"@type":"ext.blocks.consensusBlock","consensus_block":20163,"timestamp":1767326415},
    lagging: {"@type":"ext.blocks.consensusBlock","consensus_block":20160,"timestamp":1767326400},
  },
  getMasterchainInfo: {
    head: {"@type":"blocks.masterchainInfo","last":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":20163,"root_hash":"sR+NdAYmg7BCE7M8oEM8txQsZcyZN+/N+Kcp0OrajZY=","file_hash":"lqxePFTftJiCB8TTCZ2G9pRUtpTI7RH/n8fHI9oqzwo="},"state_root_hash":"laNDdWkq3DrApxO/q4mb9uoRPbKRWjGSvIpnrjOHDXc=","init":{"@type":"chain.blockIdExt","workchain":-1,"shard":"0","seqno":0,"root_hash":"m7gkLDDSl7UvSgkliUl9Vlqd1rCtV+taodfBHp7uMYQ=","file_hash":"QtSg2/4IJ34yXOo9V8jQhJjnOEkhGY8KRIyRLFTUMzI="}},
    "young-chain": {"@type":"blocks.masterchainInfo","last":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":1,"root_hash":"8geAHJBk0J/I+v/AcupF7yF5tSGFFGrI6aEfn9EkkrA=","file_hash":"Kit9qoWhPqAz4zwbyzYKcgBohXqlwKn8C5WqbyC58oI="},"state_root_hash":"+k0/yVhct3GAc/0y7r5mfe16jC8u/r1ZYi39jdmRw1Y=","init":{"@type":"chain.blockIdExt","workchain":-1,"shard":"0","seqno":0,"root_hash":"m7gkLDDSl7UvSgkliUl9Vlqd1rCtV+taodfBHp7uMYQ=","file_hash":"QtSg2/4IJ34yXOo9V8jQhJjnOEkhGY8KRIyRLFTUMzI="}},
  },
  getOutMsgQueueSize: {
    idle: {"@type":"blocks.outMsgQueueSizes","shards":[{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":20163,"root_hash":"sR+NdAYmg7BCE7M8oEM8txQsZcyZN+/N+Kcp0OrajZY=","file_hash":"lqxePFTftJiCB8TTCZ2G9pRUtpTI7RH/n8fHI9oqzwo="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"4611686018427387904","seqno":20183,"root_hash":"sdOOQZntRfyesWrIeJzOjul3lxLOusolvD0Xz+pqSvg=","file_hash":"Zjn9xUCb/T+yY1CIKytxPNEufzoTNuNRDDiLr7mYj4I="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"-4611686018427387904","seqno":20200,"root_hash":"y40lLoc9Cs0ZTpNSKb2wyUuPSskkdltYB56pLc2pC/I=","file_hash":"y2zst/iDJWRTbg33PAU15G3YkhkrBvYjhsPVJFZOwtA="},"size":0}],"ext_msg_queue_size_limit":8000},
    backlog: {"@type":"blocks.outMsgQueueSizes","shards":[{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":20163,"root_hash":"sR+NdAYmg7BCE7M8oEM8txQsZcyZN+/N+Kcp0OrajZY=","file_hash":"lqxePFTftJiCB8TTCZ2G9pRUtpTI7RH/n8fHI9oqzwo="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"4611686018427387904","seqno":20183,"root_hash":"sdOOQZntRfyesWrIeJzOjul3lxLOusolvD0Xz+pqSvg=","file_hash":"Zjn9xUCb/T+yY1CIKytxPNEufzoTNuNRDDiLr7mYj4I="},"size":214},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"-4611686018427387904","seqno":20200,"root_hash":"y40lLoc9Cs0ZTpNSKb2wyUuPSskkdltYB56pLc2pC/I=","file_hash":"y2zst/iDJWRTbg33PAU15G3YkhkrBvYjhsPVJFZOwtA="},"size":37}],"ext_msg_queue_size_limit":8000},
  },
  getTransactionsStd: {
    "first-page": {"@type":"raw.transactions","transactions":[{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"utime":1767318855,"data":"te6cckECCQEAAdIAA7N3+aiu7kJREmExmSNqqJtWgAWn9mp/rMre8B1l4LEzYpAAAABFevrMG6JTxVxdmFi02uELD7YVM8z++DVfxdiOgeXrOd8uZ38gAAAANabRSBaVclRwABRT64gBBAUBAaACArFoAbfv9qNHqJZXvd6D5mMFhDYmJDVokOqE+B/zhMiv8p3VAB/moru5CURJhMZkjaqibVoAFp/Zqf6zK3vAdZeCxM2KULLQXgIGDDLyAAAACK9A1QTSrkqEwAYDAGNa/gACAAAAAAAAACpCy0F4CAG37/ajR6iWV73eg+ZjBYQ2JiQ1aJDqhPgf84TIr/Kd1QCCcqaNvoAFa7pFhX5QAryrKvPSC145Wc7AUvsyuA9yF6WADtSNFgxJ9hHZXNX3V26KOhMFVI0DBN7aGriqWCEvVmYDFwSAxwkLLQXgOFOIEQYHCAAPoAAAAAcQTiQAnCfMPQkAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABbwAAAAAAAAAAAAAAAAS1FLaRJ5QuM990nhh8UYSKv4bVGu4tw/IIW8MYUE5+OBI2CIl0=","transaction_id":{"@type":"internal.transactionId","lt":"18651000001","hash":"8Xa2CpSU0HYoufZIjA1IvmVOKhB5qmt1LktwyePSju8="},"fee":"40796","storage_fee":"796","other_fee":"40000","in_msg":{"@type":"raw.message","hash":"AdBEu8dv/Dx0l65p5R10pzP5f3oXT5TKpVHi8HdruWc=","source":{"@type":"accountAddress","account_address":"EQDb9_tRo9RLK97vQfMxgsIbExIatEh1QnwP-cJkV_lO6nUp"},"destination":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"value":"750000000","extra_currencies":[{"@type":"extraCurrency","id":7,"amount":"2500"}],"fwd_fee":"399737","ihr_fee":"0","created_lt":"18650000002","body_hash":"E7hYIvKNK0/4DuG2Gs2GKQAAo3Inor9VjVaSkCUxeOY=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAQEANAAAY1r+AAIAAAAAAAAAKkLLQXgIAbfv9qNHqJZXvd6D5mMFhDYmJDVokOqE+B/zhMiv8p3VjlF5jA==","init_state":""}},"out_msgs":[]},{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"utime":1767297610,"data":"te6cckECEAEAAzEAA7V3+aiu7kJREmExmSNqqJtWgAWn9mp/rMre8B1l4LEzYpAAAAA1ptFIEqiVOQUl9hp0mGxJEFzrHkvS5LAmpdwBIrDYL9Nnj4cQAAAAJMW4HBaVbSSgAFRlb1zIAQwNAgHgAgYBRYgA/zUV3chKIkwmMyRtVRNq0AC0/s1P9Zlb3gOsvBYmbFIMAwKUwHfZaAZLrFPvHHNUKRSc9rTBvtMgfZOYahtxppM0VPCD1Muvk37YaeZK6EnW24KwC69w2RTKKo1tVjeK3U7bAmlW0oYAAAABAwMEBQCMQgAM/5v//h8K7qKEPCvxbIKc9o23iTGYD2Tc6CLl0l7bJSO5rKAAAAAAAAAAAAAAAAAAAAAAAABXZWxjb21lLCBDYXJvbAF+QgBWNdAM1CQsSQ1HZSOfDkmzE34m0eLB+dQNq7BMccQ0kRh6EgAAAAAAAAAAAAAAAAAAWv4AAQAAAAAAAAABCwIB3QcJAQEgCADVSAD/NRXdyEoiTCYzJG1VE2rQALT+zU/1mVveA6y8FiZsUwAGf83//w+Fd1FCHhX4tkFOe0bbxJjMB7JudBFy6S9tkpHc1lAABggjWgAAAAa02ikE0q2klAAAAAArsrYxt7aylhAhsLk3tkABASAKAcdIAP81Fd3ISiJMJjMkbVUTatAAtP7NT/WZW94DrLwWJmxTACsa6AZqEhYkhqOykc+HJNmJvxNo8WD86gbV2CY44hpIjD0JAAYJ/lwAAAAGtNopBtKtpJQtfwAAgAAAAAAAAADACwAgSXMgYW55Ym9keSBob21lPwCCcudWF0V7ZA4GdY9FjAZ5U19ouwwXNxzcm0tLPpSxEGIMpo2+gAVrukWFflACvKsq89ILXjlZzsBS+zK4D3IXpYACEQyA1EYYnAGEQA4PAJ1Bj2MTiAAAAAAAAAAADMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAG/JhsygTBIhlAAAAAAABAAAAAAABX+03nYZn0yS6ZE5xki8XGOrnJV5U3nnATpU2/1CFxAAQNA3VKP6efw=","transaction_id":{"@type":"internal.transactionId","lt":"14402000001","hash":"uiU8VcXZhYtNrhCw+2FTPM/vg1X8XYjoHl6znfLmd/I="},"fee":"3443649","storage_fee":"849","other_fee":"3442800","in_msg":{"@type":"raw.message","hash":"VLtcg4fK7VpqqvK+IKb3xIwxbt/7yBYg87AO0Ro55vs=","source":{"@type":"accountAddress","account_address":""},"destination":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"value":"0","extra_currencies":[],"fwd_fee":"0","ihr_fee":"0","created_lt":"0","body_hash":"NMYITHOJBP5ghqhp6mZufahA+AGX/KJQ3ZGjwNx7Er4=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBBAEA6gAClMB32WgGS6xT7xxzVCkUnPa0wb7TIH2TmGobcaaTNFTwg9TLr5N+2GnmSuhJ1tuCsAuvcNkUyiqNbVY3it1O2wJpVtKGAAAAAQMDAQIAjEIADP+b//4fCu6ihDwr8WyCnPaNt4kxmA9k3Ogi5dJe2yUjuaygAAAAAAAAAAAAAAAAAAAAAAAAV2VsY29tZSwgQ2Fyb2wBfkIAVjXQDNQkLEkNR2Ujnw5JsxN+JtHiwfnUDauwTHHENJEYehIAAAAAAAAAAAAAAAAAAFr+AAEAAAAAAAAAAQMAIElzIGFueWJvZHkgaG9tZT/SpmBb","init_state":""}},"out_msgs":[{"@type":"raw.message","hash":"5AQfF1RNLdWNkBRpPKd7UTy3/w52lyiQzpyf38Yyw60=","source":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"destination":{"@type":"accountAddress","account_address":"EQAZ_zf__D4V3UUIeFfi2QU57RtvEmMwHsm50EXLpL22Svye"},"value":"2000000000","extra_currencies":[],"fwd_fee":"266669","ihr_fee":"0","created_lt":"14402000002","body_hash":"2rulLxt2t+feI6XIP2EJHZpCPxIG9385QH7y3Mlu6sY=","msg_data":{"@type":"msg.dataText","text":"V2VsY29tZSwgQ2Fyb2w="}},{"@type":"raw.message","hash":"mKL4jp3bpdCe1Xh432Dcbbg6xsCwxOCML94jbfesVbs=","source":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"destination":{"@type":"accountAddress","account_address":"EQCsa6AZqEhYkhqOykc-HJNmJvxNo8WD86gbV2CY44hpIvn5"},"value":"1000000","extra_currencies":[],"fwd_fee":"327470","ihr_fee":"0","created_lt":"14402000003","body_hash":"NBsxjxGjSTmqneuWnsVzyxRsoOPBu+gxM9bTYV/7v30=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAgEAIQABGFr+AAEAAAAAAAAAAQEAIElzIGFueWJvZHkgaG9tZT/lN4Dj","init_state":""}}]}],"previous_transaction_id":{"@type":"internal.transactionId","lt":"9871000001","hash":"KolTkFJfYadJhsSRBc6x5L0uSwJqXcASKw2C/TZ4+HE="}},
    "next-page": {"@type":"raw.transactions","transactions":[{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"utime":1767274955,"data":"te6cckECCAEAAggAA7N3+aiu7kJREmExmSNqqJtWgAWn9mp/rMre8B1l4LEzYpAAAAAkxbgcEy8SfOLfLOx36yS9nHEgx75Ty3Ks+pt/SDG0h1FGiCwgAAAAE2mYzBaVZ5ywABRT9SgBBAUBAaACAbFoAbfv9qNHqJZXvd6D5mMFhDYmJDVokOqE+B/zhMiv8p3VAB/moru5CURJhMZkjaqibVoAFp/Zqf6zK3vAdZeCxM2KUDuaygAGEIEKAAAABJiYfwTSrPOMwAMA6CFn2kujE5ZW/UIyeKYPORvJPaxcrdfDIEKBv0bGDZ+gcN7sMoCNBXfXEd2RtGGrXFC3DWbxoqgh7vFlR4ehnK2M4Yw0g0ZIamWk/dshKi+YWPegeSYtIqtQk7Ck/gZtB/FNz348UqaPhR3ZcoYeZluY37HFAIJykjcd2EzEqctt5Y0juQtOWCUIBWZZ2OZgIH8BjpbNeCDnVhdFe2QOBnWPRYwGeVNfaLsMFzcc3JtLSz6UsRBiDAIXBIDaSQO5rKAYU4gRBgcAnCfMJiWgAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABbwAAAAAAAAAAAAAAAAS1FLaRJ5QuM990nhh8UYSKv4bVGu4tw/IIW8MYUE5+OBGOQgR4=","transaction_id":{"@type":"internal.transactionId","lt":"9871000001","hash":"KolTkFJfYadJhsSRBc6x5L0uSwJqXcASKw2C/TZ4+HE="},"fee":"40873","storage_fee":"873","other_fee":"40000","in_msg":{"@type":"raw.message","hash":"3Qggr59L6fBKQ8XEZbREtPr7xheoSCPkO/i6127WH4E=","source":{"@type":"accountAddress","account_address":"EQDb9_tRo9RLK97vQfMxgsIbExIatEh1QnwP-cJkV_lO6nUp"},"destination":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"value":"250000000","extra_currencies":[],"fwd_fee":"540805","ihr_fee":"0","created_lt":"9870000002","body_hash":"GRmLe6BYO3mH6/UUJPBuyGxAwn4IkV/QYbFl4OpT84M=","msg_data":{"@type":"msg.dataEncryptedText","text":"oxOWVv1CMnimDzkbyT2sXK3XwyBCgb9Gxg2foHDe7DKAjQV31xHdkbRhq1xQtw1m8aKoIe7xZUeHoZytjOGMNINGSGplpP3bISovmFj3oHkmLSKrUJOwpP4GbQfxTc9+PFKmj4Ud2XKGHmZbmN+xxQ=="}},"out_msgs":[]},{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"utime":1767251655,"data":"te6cckECDgEAAusAA7V3+aiu7kJREmExmSNqqJtWgAWn9mp/rMre8B1l4LEzYpAAAAATaZjMHMQC7csvFa4DQ8uQcMoilvnHF0qJOB+c+MNBCLLxzt+AAAAABVtiOBaVYexwACRk8cZoAQoLAgHgAggCRYgA/zUV3chKIkwmMyRtVRNq0AC0/s1P9Zlb3gOsvBYmbFIeAwYCATQEBQCK/wAg3aTyYIMI1xgg+QEB0x8B+CO88qPTH+1E0NMf0/9TJLryoVR1YfkQ8qL4AAKkyMsfy//Oye1UINdKltMH1AL7AOTRAEgAAAAAGbJA7Vjlt6QlLrAL04GlgbBisgF6tc6uXVj42vcSrd4Bkq8K8tGadi55TgKTVzROsuS4GbwETOIsol4BrFjSb7z5DtFXwJx6pgCcodgWRxmxBeiUGkT60vHz8Fo09WnX6glpVh8DAAAAAAMHAJpiAG37/ajR6iWV73eg+ZjBYQ2JiQ1aJDqhPgf84TIr/Kd1JoTuGAAAAAAAAAAAAAAAAAAAAAAAAFRoYW5rcyBmb3IgdGhlIGNvZmZlZQEB3wkA42gA/zUV3chKIkwmMyRtVRNq0AC0/s1P9Zlb3gOsvBYmbFMANv3+1Gj1Esr3u9B8zGCwhsTEhq0SHVCfA/5wmRX+U7qTQncMAAYII1oAAAACbTMZhNKsPY4AAAAAKjQwtzW5kDM3uRA6NDKQMbezMzKywACCcpBqe8IsBbT0PmG08EePpmA0QrQXscX1nIeu8x9uIujYkjcd2EzEqctt5Y0juQtOWCUIBWZZ2OZgIH8BjpbNeCACDwxsBhh/DQRADA0AnUFFQxOIAAAAAAAAAAALgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAb8mDDUBMCCNMAAAAAAACAAAAAAADZSl9edeH2FADtxkwqSxIa9QRNOPKizcblfPeURI9LixAUBxMtKXh5A==","transaction_id":{"@type":"internal.transactionId","lt":"5211000001","hash":"MvEnzi3yzsd+skvZxxIMe+U8tyrPqbf0gxtIdRRogsI="},"fee":"2858976","storage_fee":"176","other_fee":"2858800","in_msg":{"@type":"raw.message","hash":"d4WOoMc9bLFemdQv5bXOuTOLEsUJn5se9ajCfHHIVe8=","source":{"@type":"accountAddress","account_address":""},"destination":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"value":"0","extra_currencies":[],"fwd_fee":"0","ihr_fee":"0","created_lt":"0","body_hash":"+osPOQ2V4yCcR0kvF0KCeXh73++fvpDR3iAIhS7sA9U=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAgEAmwABkq8K8tGadi55TgKTVzROsuS4GbwETOIsol4BrFjSb7z5DtFXwJx6pgCcodgWRxmxBeiUGkT60vHz8Fo09WnX6glpVh8DAAAAAAMBAJpiAG37/ajR6iWV73eg+ZjBYQ2JiQ1aJDqhPgf84TIr/Kd1JoTuGAAAAAAAAAAAAAAAAAAAAAAAAFRoYW5rcyBmb3IgdGhlIGNvZmZlZYq+3xQ=","init_state":"te6cckEBAwEAcgACATQBAgCK/wAg3aTyYIMI1xgg+QEB0x8B+CO88qPTH+1E0NMf0/9TJLryoVR1YfkQ8qL4AAKkyMsfy//Oye1UINdKltMH1AL7AOTRAEgAAAAAGbJA7Vjlt6QlLrAL04GlgbBisgF6tc6uXVj42vcSrd5uCOWr"}},"out_msgs":[{"@type":"raw.message","hash":"b/qtrhnCea18K8jB+JcHboDP7O8w1vFIO8ZXA2XPNGk=","source":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"destination":{"@type":"accountAddress","account_address":"EQDb9_tRo9RLK97vQfMxgsIbExIatEh1QnwP-cJkV_lO6nUp"},"value":"3500000000","extra_currencies":[],"fwd_fee":"266669","ihr_fee":"0","created_lt":"5211000002","body_hash":"Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=","msg_data":{"@type":"msg.dataText","text":"VGhhbmtzIGZvciB0aGUgY29mZmVl"}}]}],"previous_transaction_id":{"@type":"internal.transactionId","lt":"1438000001","hash":"zEAu3LLxWuA0PLkHDKIpb5xxdKiTgfnPjDQQiy8c7fg="}},
    "last-page": {"@type":"raw.transactions","transactions":[{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"utime":1767232790,"data":"te6cckECBQEAAQsAA693+aiu7kJREmExmSNqqJtWgAWn9mp/rMre8B1l4LEzYpAAAAAFW2I4EAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAaVXVFgABgIAQMEAQGgAgCzSAG37/ajR6iWV73eg+ZjBYQ2JiQ1aJDqhPgf84TIr/Kd1QAf5qK7uQlESYTGZI2qom1aABaf2an+syt7wHWXgsTNilQLLQXgAAYII1oAAAAAq03ChNKrqiJAAIJykK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaSQanvCLAW09D5htPBHj6ZgNEK0F7HF9ZyHrvMfbiLo2AARDAlAstBeAAEgNwH8uA==","transaction_id":{"@type":"internal.transactionId","lt":"1438000001","hash":"zEAu3LLxWuA0PLkHDKIpb5xxdKiTgfnPjDQQiy8c7fg="},"fee":"0","storage_fee":"0","other_fee":"0","in_msg":{"@type":"raw.message","hash":"5Oav4T4h1Cws6tjYXB/NZYEAOQLel5g6uhyl3wrFwCY=","source":{"@type":"accountAddress","account_address":"EQDb9_tRo9RLK97vQfMxgsIbExIatEh1QnwP-cJkV_lO6nUp"},"destination":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"value":"12000000000","extra_currencies":[],"fwd_fee":"266669","ihr_fee":"0","created_lt":"1437000002","body_hash":"lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAQEAAgAAAEysuc0=","init_state":""}},"out_msgs":[]}],"previous_transaction_id":{"@type":"internal.transactionId","lt":"0","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}},
    "empty-page": {"@type":"raw.transactions","transactions":[],"previous_transaction_id":{"@type":"internal.transactionId","lt":"0","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}},
  },
  lookupBlock: {
    head: {"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":20163,"root_hash":"sR+NdAYmg7BCE7M8oEM8txQsZcyZN+/N+Kcp0OrajZY=","file_hash":"lqxePFTftJiCB8TTCZ2G9pRUtpTI7RH/n8fHI9oqzwo="},
    "by-seqno": {"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":5211,"root_hash":"QonVyWYp/AUV9X0NM6IltkSvpGz8YwODpKCZstc2oTM=","file_hash":"zIzxAMvTsfs65THiO33Nb5/8/BUk0UbBJK4JNtKfods="},
    "by-lt": {"@type":"chain.blockIdExt","workchain":0,"shard":"4611686018427387904","seqno":5231,"root_hash":"dGtVAbFnUn7ERl3PieBkkrtZZnBLpm//RjwKldqMxes=","file_hash":"ZlzZVwUaVe0T9sWec79+whVXoaVkRTemjm29hKTEfY0="},
    "by-unixtime": {"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":5211,"root_hash":"QonVyWYp/AUV9X0NM6IltkSvpGz8YwODpKCZstc2oTM=","file_hash":"zIzxAMvTsfs65THiO33Nb5/8/BUk0UbBJK4JNtKfods="},
  },
  tryLocateResultTx: {
    transfer: {"@type":"ext.transaction","address":{"@type":"accountAddress","account_address":"EQDb9_tRo9RLK97vQfMxgsIbExIatEh1QnwP-cJkV_lO6nUp"},"account":"0:DBF7FB51A3D44B2BDEEF41F33182C21B13121AB44875427C0FF9C26457F94EEA","utime":1767251660,"data":"te6cckECBwEAAaoAA7N9v3+1Gj1Esr3u9B8zGCwhsTEhq0SHVCfA/5wmRX+U7qAAAAATaozwHcKOOuMHsptqB2dQKgwQskNI0Go8Hv6NK1DGBautDKaAAAAABVpuFBaVYezAABRT4IgBAwQBAaACAONoAP81Fd3ISiJMJjMkbVUTatAAtP7NT/WZW94DrLwWJmxTADb9/tRo9RLK97vQfMxgsIbExIatEh1QnwP+cJkV/lO6k0J3DAAGCCNaAAAAAm0zGYTSrD2OAAAAACo0MLc1uZAzN7kQOjQykDG3szMyssAAgnJ2nREVx68bSWeAlT5fqmeR+bpSuaQbLRj7ZQhorIYWeY6u08mVodbk5LIcqrOXdXLeXlTtgszxiLIbApBx3MDVAhcEgLEJNCdwwBhTiBEFBgCcJ8w9CQAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFvAAAAAAAAAAAAAAAABLUUtpEnlC4z33SeGHxRhIq/htUa7i3D8ghbwxhQTn44EKictGg==","transaction_id":{"@type":"internal.transactionId","lt":"5212000001","hash":"DlZLRK5848tbkd38QFUU+O2Q8UhWfr2xAt4vPdkjexA="},"fee":"40708","storage_fee":"708","other_fee":"40000","in_msg":{"@type":"ext.message","hash":"b/qtrhnCea18K8jB+JcHboDP7O8w1vFIO8ZXA2XPNGk=","source":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH","destination":"EQDb9_tRo9RLK97vQfMxgsIbExIatEh1QnwP-cJkV_lO6nUp","value":"3500000000","extra_currencies":[],"fwd_fee":"266669","ihr_fee":"0","created_lt":"5211000002","body_hash":"Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=","msg_data":{"@type":"msg.dataText","text":"VGhhbmtzIGZvciB0aGUgY29mZmVl"},"message":"Thanks for the coffee"},"out_msgs":[]},
  },
  tryLocateSourceTx: {
    transfer: {"@type":"ext.transaction","address":{"@type":"accountAddress","account_address":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH"},"account":"0:7F9A8AEEE425112613199236AA89B568005A7F66A7FACCADEF01D65E0B133629","utime":1767251655,"data":"te6cckECDgEAAusAA7V3+aiu7kJREmExmSNqqJtWgAWn9mp/rMre8B1l4LEzYpAAAAATaZjMHMQC7csvFa4DQ8uQcMoilvnHF0qJOB+c+MNBCLLxzt+AAAAABVtiOBaVYexwACRk8cZoAQoLAgHgAggCRYgA/zUV3chKIkwmMyRtVRNq0AC0/s1P9Zlb3gOsvBYmbFIeAwYCATQEBQCK/wAg3aTyYIMI1xgg+QEB0x8B+CO88qPTH+1E0NMf0/9TJLryoVR1YfkQ8qL4AAKkyMsfy//Oye1UINdKltMH1AL7AOTRAEgAAAAAGbJA7Vjlt6QlLrAL04GlgbBisgF6tc6uXVj42vcSrd4Bkq8K8tGadi55TgKTVzROsuS4GbwETOIsol4BrFjSb7z5DtFXwJx6pgCcodgWRxmxBeiUGkT60vHz8Fo09WnX6glpVh8DAAAAAAMHAJpiAG37/ajR6iWV73eg+ZjBYQ2JiQ1aJDqhPgf84TIr/Kd1JoTuGAAAAAAAAAAAAAAAAAAAAAAAAFRoYW5rcyBmb3IgdGhlIGNvZmZlZQEB3wkA42gA/zUV3chKIkwmMyRtVRNq0AC0/s1P9Zlb3gOsvBYmbFMANv3+1Gj1Esr3u9B8zGCwhsTEhq0SHVCfA/5wmRX+U7qTQncMAAYII1oAAAACbTMZhNKsPY4AAAAAKjQwtzW5kDM3uRA6NDKQMbezMzKywACCcpBqe8IsBbT0PmG08EePpmA0QrQXscX1nIeu8x9uIujYkjcd2EzEqctt5Y0juQtOWCUIBWZZ2OZgIH8BjpbNeCACDwxsBhh/DQRADA0AnUFFQxOIAAAAAAAAAAALgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAb8mDDUBMCCNMAAAAAAACAAAAAAADZSl9edeH2FADtxkwqSxIa9QRNOPKizcblfPeURI9LixAUBxMtKXh5A==","transaction_id":{"@type":"internal.transactionId","lt":"5211000001","hash":"MvEnzi3yzsd+skvZxxIMe+U8tyrPqbf0gxtIdRRogsI="},"fee":"2858976","storage_fee":"176","other_fee":"2858800","in_msg":{"@type":"ext.message","hash":"d4WOoMc9bLFemdQv5bXOuTOLEsUJn5se9ajCfHHIVe8=","source":"","destination":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH","value":"0","extra_currencies":[],"fwd_fee":"0","ihr_fee":"0","created_lt":"0","body_hash":"+osPOQ2V4yCcR0kvF0KCeXh73++fvpDR3iAIhS7sA9U=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAgEAmwABkq8K8tGadi55TgKTVzROsuS4GbwETOIsol4BrFjSb7z5DtFXwJx6pgCcodgWRxmxBeiUGkT60vHz8Fo09WnX6glpVh8DAAAAAAMBAJpiAG37/ajR6iWV73eg+ZjBYQ2JiQ1aJDqhPgf84TIr/Kd1JoTuGAAAAAAAAAAAAAAAAAAAAAAAAFRoYW5rcyBmb3IgdGhlIGNvZmZlZYq+3xQ=","init_state":"te6cckEBAwEAcgACATQBAgCK/wAg3aTyYIMI1xgg+QEB0x8B+CO88qPTH+1E0NMf0/9TJLryoVR1YfkQ8qL4AAKkyMsfy//Oye1UINdKltMH1AL7AOTRAEgAAAAAGbJA7Vjlt6QlLrAL04GlgbBisgF6tc6uXVj42vcSrd5uCOWr"}},"out_msgs":[{"@type":"ext.message","hash":"b/qtrhnCea18K8jB+JcHboDP7O8w1vFIO8ZXA2XPNGk=","source":"EQB_moru5CURJhMZkjaqibVoAFp_Zqf6zK3vAdZeCxM2KSMH","destination":"EQDb9_tRo9RLK97vQfMxgsIbExIatEh1QnwP-cJkV_lO6nUp","value":"3500000000","extra_currencies":[],"fwd_fee":"266669","ihr_fee":"0","created_lt":"5211000002","body_hash":"Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=","msg_data":{"@type":"msg.dataText","text":"VGhhbmtzIGZvciB0aGUgY29mZmVl"},"message":"Thanks for the coffee"}]},
  },
};

/**
 * Failures of the contract's examples, by operation and condition.
 *
 * @example
 * ```ts
 * const fetch = fakeFetch({ lookupBlock: failures.lookupBlock["past-head"] });
 * ```
 */
export const failures: {
  readonly getAddressInformation: {
    /** A key that the service does not know. */
    readonly "unknown-key": Answering;
    /** A key for another network. */
    readonly "other-network-key": Answering;
    /** An address with a wrong checksum. */
    readonly "wrong-checksum": Answering;
  };
  readonly getConsensusBlock: {
    /** Too many requests without a key. */
    readonly "rate-limited": Answering;
  };
  readonly getMasterchainInfo: {

  };
  readonly getOutMsgQueueSize: {
    /** The node did not answer in time. */
    readonly "node-timeout": Answering;
    /** No node is available. */
    readonly "no-node": Answering;
  };
  readonly getTransactionsStd: {
    /** An lt without its hash. */
    readonly "lt-without-hash": Answering;
    /** Older than the history of the node. */
    readonly "pruned-history": Answering;
  };
  readonly lookupBlock: {
    /** A block that does not exist yet. */
    readonly "past-head": Answering;
  };
  readonly tryLocateResultTx: {
    /** There is no such message. */
    readonly "not-found": Answering;
    /** The message still waits in a queue. */
    readonly "not-yet-processed": Answering;
  };
  readonly tryLocateSourceTx: {
    /** A message from outside has no source. */
    readonly "external-message": Answering;
  };
} = {
  getAddressInformation: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","extra":"1767326417:0:0.000"}),
    "wrong-checksum": /* @__PURE__ */ apiFailure(422, {"error":"failed to parse address: wrong checksum","extra":"1767326417:0:0.000"}),
  },
  getConsensusBlock: {
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","extra":"1767326417:0:0.000"}),
  },
  getMasterchainInfo: {

  },
  getOutMsgQueueSize: {
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not answer within 10 seconds","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","extra":"1767326417:0:0.000"}),
  },
  getTransactionsStd: {
    "lt-without-hash": /* @__PURE__ */ apiFailure(422, {"error":"lt and hash should be used together","extra":"1767326417:0:0.000"}),
    "pruned-history": /* @__PURE__ */ apiFailure(500, {"error":"lt 5211000001 is not in this node's history, use archival=true to reach it","extra":"1767916800:3:0.008"}),
  },
  lookupBlock: {
    "past-head": /* @__PURE__ */ apiFailure(404, {"error":"block was not found: seqno 20263 is past the head, 20163","extra":"1767326417:0:0.001"}),
  },
  tryLocateResultTx: {
    "not-found": /* @__PURE__ */ apiFailure(404, {"error":"transaction was not found: the source account sent no such message","extra":"1767326417:0:0.001"}),
    "not-yet-processed": /* @__PURE__ */ apiFailure(404, {"error":"transaction was not found: the message is known and still waits in a queue, try again later","extra":"1767326417:0:0.001"}),
  },
  tryLocateSourceTx: {
    "external-message": /* @__PURE__ */ apiFailure(404, {"error":"transaction was not found: a message from outside the chain (source \"\") has no source transaction","extra":"1767326417:0:0.001"}),
  },
};
