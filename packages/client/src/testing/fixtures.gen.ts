/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */
import type { ResultOf } from "@chain-query/types";
import { type ResponseMaker, apiFailure } from "./responses.ts";

/**
 * Results of the contract's examples, by operation and condition. They are shared: change a copy.
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
    /** Messages wait in two shards of the basechain. */
    readonly backlog: ResultOf<"getOutMsgQueueSize">;
    /** No message waits. */
    readonly idle: ResultOf<"getOutMsgQueueSize">;
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
    active: {"@type":"raw.fullAccountState","balance":"7491880250","extra_currencies":[{"@type":"extraCurrency","id":100,"amount":"2500"}],"last_transaction_id":{"@type":"internal.transactionId","lt":"1555000001","hash":"pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":840,"root_hash":"rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=","file_hash":"EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew="},"code":"te6cckEBAQEAWwAAsv8AIN2k8tAggwjXGCD5AQHTH9Mf0x/tRNDTH9Mf1wv/ISW68uAhIie68uAiJfgju/LQIycpIvkQ8uAk+AABpFjIyx/LH8v/ye1U+A8g10qOB9MH1FkB+wDkfPL6YQ==","data":"te6cckEBAQEAKgAAUAAAAAoAAAACj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B5UhxDi7jQz","frozen_hash":"","sync_utime":1767326400,"state":"active"},
    uninitialized: {"@type":"raw.fullAccountState","balance":"2000000000","extra_currencies":[],"last_transaction_id":{"@type":"internal.transactionId","lt":"1201000001","hash":"UC+CMCZGdinJLTVupVDZ1kfbYscW0RTigISyvxDWlPE="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":840,"root_hash":"rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=","file_hash":"EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew="},"code":"","data":"","frozen_hash":"","sync_utime":1767326400,"state":"uninitialized"},
    frozen: {"@type":"raw.fullAccountState","balance":"0","extra_currencies":[],"last_transaction_id":{"@type":"internal.transactionId","lt":"1201000001","hash":"5zC1ZCLh3WWsHj1RTS220EmENWjqxuZ7RfwvbBUxvBs="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":840,"root_hash":"rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=","file_hash":"EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew="},"code":"","data":"","frozen_hash":"WMqgG8FK3NA0vumED5BOCXl5CXYuf2nasZ/2wBXm2As=","sync_utime":1767326400,"state":"frozen"},
    "as-of-block": {"@type":"raw.fullAccountState","balance":"12000000000","extra_currencies":[],"last_transaction_id":{"@type":"internal.transactionId","lt":"25000001","hash":"QH3uQ1o3Vb8oZoROTfWSsY9a4zjgmVYY088JIrZA+64="},"block_id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":13,"root_hash":"dshr4RxW6A0ZZEiPaKUuW2pjwukZYAsUBeZna0uckTk=","file_hash":"M0UPRcX6BZsvFZpkNiuU+D734JpE2IZnWyU8txDV118="},"code":"","data":"","frozen_hash":"","sync_utime":1767227160,"state":"uninitialized"},
  },
  getConsensusBlock: {
    current: {"@type":"ext.blocks.consensusBlock","consensus_block":840,"timestamp":1767326400},
    lagging: {"@type":"ext.blocks.consensusBlock","consensus_block":839,"timestamp":1767326280},
  },
  getMasterchainInfo: {
    head: {"@type":"blocks.masterchainInfo","last":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":840,"root_hash":"rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=","file_hash":"EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew="},"state_root_hash":"8IK2U6KtzpIijiKPfqp6CE5PVF1eVPCvf4BnfeUUxuo=","init":{"@type":"chain.blockIdExt","workchain":-1,"shard":"0","seqno":0,"root_hash":"ruCOA1HMnowe5qfMhQef/RYEzSBvMwd3nvdoOkbi0yk=","file_hash":"Ii9UQqzdtVllj2yta3zHoPttDv2wjCzKMTueGx9xvlk="}},
    "young-chain": {"@type":"blocks.masterchainInfo","last":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":1,"root_hash":"VoGLXsr3oFBNJ+ofGp3pczYgwLJfYdzfc/qavKcCYyo=","file_hash":"KXv0nffhsYF0BD0cofkrclRkcaki0xfqZS3EtDfckS0="},"state_root_hash":"iLWBpoauYYMDcqU35su3razpdEOUEESbRnRBFN8sKk8=","init":{"@type":"chain.blockIdExt","workchain":-1,"shard":"0","seqno":0,"root_hash":"ruCOA1HMnowe5qfMhQef/RYEzSBvMwd3nvdoOkbi0yk=","file_hash":"Ii9UQqzdtVllj2yta3zHoPttDv2wjCzKMTueGx9xvlk="}},
  },
  getOutMsgQueueSize: {
    backlog: {"@type":"blocks.outMsgQueueSizes","shards":[{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":840,"root_hash":"rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=","file_hash":"EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"4611686018427387904","seqno":840,"root_hash":"IuM3RWduamPGpxcjV7Rw5Iim9j5NDGU2PRALsBg87zM=","file_hash":"c3MQH7pEYQuu2zKEPKkITIeVgJMFqlUs3PkVtMsWjLE="},"size":1},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"-6917529027641081856","seqno":840,"root_hash":"DHC94iZcm1k2042i7gws5sD3n2CI//IxaflxndYSny4=","file_hash":"VuxsQuJRJ6yLKcajeFMOQWcAWkVl9EaiyxiyFFiXm2k="},"size":1},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"-2305843009213693952","seqno":840,"root_hash":"12ZsNZYcnBUREXS00saohKmShKRKtY4Rdu5hhKinYWk=","file_hash":"/TYNyupd6XAfJdFNMkXetBJaT3HA0RA+0lMIvG/8zUo="},"size":0}],"ext_msg_queue_size_limit":8000},
    idle: {"@type":"blocks.outMsgQueueSizes","shards":[{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":839,"root_hash":"thNaxYOLBZisu511pArVPGXkCv7yHWwqt/5tJhQR7tU=","file_hash":"4DvEcC+HUCAbnCLY4gakk958Z+OmZRnNKpr/qhf/3cI="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"4611686018427387904","seqno":839,"root_hash":"A4bQEPxI/nL92SEYHpA++f0pIXtQDR5a881Ob+gfUSA=","file_hash":"ROklyKNQn7QAlM7q1RYToak5Cjzdb8IKULjNW2XGTHY="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"-6917529027641081856","seqno":839,"root_hash":"as0IEFc62pPUNYMlMivpXs8c39JbGiY61WoKAu9gkYE=","file_hash":"wJN3gHTR7TcpuE8hvTb/9+wMzwha6d/8uSK4Av8FiEM="},"size":0},{"@type":"blocks.outMsgQueueSize","id":{"@type":"chain.blockIdExt","workchain":0,"shard":"-2305843009213693952","seqno":839,"root_hash":"Dv4PtHIJ6q5GZHZ5CoQhc0mP4WZ2U3NosAL7Zf7hNyk=","file_hash":"iNjkO6ZtrKQvsKEmw316CpraSO/G9YHOpUEj4hxmEsw="},"size":0}],"ext_msg_queue_size_limit":8000},
  },
  getTransactionsStd: {
    "first-page": {"@type":"raw.transactions","transactions":[{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"utime":1767318960,"data":"te6cckECCgEAAcIAA7N0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAAAFyvasF2TeJV8D8WHQKs7mXBUf5GNu2i4SGJiv4DWRs2ia2AWgAAAABHd0nBaVclsAABRT8+gBBQYBAaACArFoAWdnymigXnLu1MaWdSrKZ1jypceW2Y7mQKOCpbeUK2bvABGrUEii/AnP5hZHoiupc/ePWFnYhCbBiEiNVq6+AjlfkLLQXgIGC8iyAAAAALkhzITSrkpwwAcDARha/gABAAAAAAAAAAIEACYyNTAwIHBvaW50cyBmb3IgeW91AIJyPZVmDDnAdTwjzDUrviEXFoFMGaUnNQmkVb4kJWhHvO0YSs61hccK1zGB2hDr30KIyySnXA3QZei5XvEkxZmJPgMXBIDXyQstBeA4U4gRBwgJAA+gAAAAZBBOJACcJ8w9CQAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFvAAAAAAAAAAAAAAAABLUUtpEnlC4z33SeGHxRhIq/htUa7i3D8ghbwxhQTn44Entzeqw==","transaction_id":{"@type":"internal.transactionId","lt":"1555000001","hash":"pj1g6I7IDFnNGP059rOCFkgXw7wMaVQ/CODGnNb0oeU="},"fee":"40863","storage_fee":"863","other_fee":"40000","out_msgs":[],"in_msg":{"@type":"raw.message","hash":"TMKdZ1Jbi+PkuVxYRTr/Gq+3b6m5Wlab28jXVEKefag=","source":{"@type":"accountAddress","account_address":"EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"},"destination":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"value":"750000000","extra_currencies":[{"@type":"extraCurrency","id":100,"amount":"2500"}],"fwd_fee":"386137","ihr_fee":"0","created_lt":"1553000002","body_hash":"hBNZWkFmXfk0cPVBFJjSu6Ti5QT926rT3PIxG6GK2b4=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAgEAJAABGFr+AAEAAAAAAAAAAgEAJjI1MDAgcG9pbnRzIGZvciB5b3VNAIyq","init_state":""}}},{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"utime":1767297600,"data":"te6cckECEgEAAx0AA7V0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAAAEd3ScEKL/jTUn2Roea3yIsdTlPNl1xRw7Kz+gyf2rwfqIkeHgAAAAAxDfvBaVbSQAAFRl74SoAQ4PAgHgAgYBRYgAjVqCRRfgTn8wsj0RXUufvHrCzsQhNgxCRGq1dfARyvwMAwKcWksDYb9eldbprp7fLfZJIwWNLUtUidjjNe1aT8oX1bQ3HfTN89Oj7A5MjLScFR37BCheB9s5nSz4VmbNK/DmBAAAAAppVtbwAAAAAQMDBAUBaEIAUNVXHpdWYLWGyiewofMagUZA5nc4e+9PBhPuy5OUwsqjuaygAAAAAAAAAAAAAAAAAAEJAWZCAEAWYbYtN2RMjKR/W3qm/60YBd5+tbQa2K2XJVg/uMs0GHoSAAAAAAAAAAAAAAAAAAEMAgHdBwoBASAIAbFIAI1agkUX4E5/MLI9EV1Ln7x6ws7EITYMQkRqtXXwEcr9AChqq49LqzBaw2UT2FD5jUCjIHM7nD33p4MJ92XJymFlUdzWUAAGCh+wAAAAAI7uk4TSraSAwAkAJAAAAABXZWxjb21lLCBDYXJvbAEBIAsBr0gAjVqCRRfgTn8wsj0RXUufvHrCzsQhNgxCRGq1dfARyv0AIAsw2xabsiZGUj+tvVN/1owC7z9a2g1sVsuSrB/cZZoMPQkABguGBgAAAACO7pOG0q2kgMAMARha/gABAAAAAAAAAAENAB5JcyBhbnlvbmUgaG9tZT8AgnJjYFxwDetYgoEvCRdcCeCL/sNUav5Q74Yku2o55csgeD2VZgw5wHU8I8w1K74hFxaBTBmlJzUJpFW+JCVoR7ztAhEMgOQGGKoRhEAQEQCdQbNjE4gAAAAAAAAAAA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIABvyYgeIEwVpZQAAAAAAAQAAAAAAAX49N4qods7wJPmmvPQboAm+MCmyha+CtxyK3H6OT/4ZEFQNxRx/y0D","transaction_id":{"@type":"internal.transactionId","lt":"1199000001","hash":"dk3iVfA/Fh0CrO5lwVH+RjbtouEhiYr+A1kbNomtgFo="},"fee":"3821312","storage_fee":"912","other_fee":"3820400","out_msgs":[{"@type":"raw.message","hash":"6W+QE0uaqjREuR3Mo/jTytvM0PnABNrzrsqYF8ZMlaQ=","source":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"destination":{"@type":"accountAddress","account_address":"EQChqq49LqzBaw2UT2FD5jUCjIHM7nD33p4MJ92XJymFlctp"},"value":"2000000000","extra_currencies":[],"fwd_fee":"331736","ihr_fee":"0","created_lt":"1199000002","body_hash":"2rulLxt2t+feI6XIP2EJHZpCPxIG9385QH7y3Mlu6sY=","msg_data":{"@type":"msg.dataText","text":"V2VsY29tZSwgQ2Fyb2w="}},{"@type":"raw.message","hash":"h7fQ3Kb/3cmHNd9vzMeVNnkx90nY0wRNETShsPcpp+Q=","source":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"destination":{"@type":"accountAddress","account_address":"EQCALMNsWm7ImRlI_rb1Tf9aMAu8_WtoNbFbLkqwf3GWaPfz"},"value":"1000000","extra_currencies":[],"fwd_fee":"377603","ihr_fee":"0","created_lt":"1199000003","body_hash":"LuEeipv4z2SsW7qXI3G9rfgLkcy2/OSRf44dwg116IA=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAgEAIAABGFr+AAEAAAAAAAAAAQEAHklzIGFueW9uZSBob21lPzbvoP0=","init_state":""}}],"in_msg":{"@type":"raw.message","hash":"SL5xTjmNcC0Lk//23iuTmKD2kUXJ0m2yDW47VqKXNqI=","source":{"@type":"accountAddress","account_address":""},"destination":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"value":"0","extra_currencies":[],"fwd_fee":"0","ihr_fee":"0","created_lt":"0","body_hash":"ErsQ6fVzyYpyl8pPxQllscc47GMoBBam3mY+O4ckJlQ=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBBgEA8wACnFpLA2G/XpXW6a6e3y32SSMFjS1LVInY4zXtWk/KF9W0Nx30zfPTo+wOTIy0nBUd+wQoXgfbOZ0s+FZmzSvw5gQAAAAKaVbW8AAAAAEDAwEDAWhCAFDVVx6XVmC1hsonsKHzGoFGQOZ3OHvvTwYT7suTlMLKo7msoAAAAAAAAAAAAAAAAAABAgAkAAAAAFdlbGNvbWUsIENhcm9sAWZCAEAWYbYtN2RMjKR/W3qm/60YBd5+tbQa2K2XJVg/uMs0GHoSAAAAAAAAAAAAAAAAAAEEARha/gABAAAAAAAAAAEFAB5JcyBhbnlvbmUgaG9tZT9b6LCP","init_state":""}}}],"previous_transaction_id":{"@type":"internal.transactionId","lt":"823000001","hash":"Ci/401J9kaHmt8iLHU5TzZdcUcOys/oMn9q8H6iJHh4="}},
    "next-page": {"@type":"raw.transactions","transactions":[{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"utime":1767275040,"data":"te6cckECCQEAAnsAA7N0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAAADEN+8Go3q4A1j/Wuvz1WASIC7mijx5kUSqyLgLHcQGPMvhabQAAAAAZzw5BaVZ6IAABRT/kgBBQYBAaACAbFoAWdnymigXnLu1MaWdSrKZ1jypceW2Y7mQKOCpbeUK2bvABGrUEii/AnP5hZHoiupc/ePWFnYhCbBiEiNVq6+AjlfkDuaygAGGJwOAAAAAGHe7oTSrPNQwAMB/iFn2ks7rQ/WBX8KxXwE7XfiCjExOhEfw8ssfMmePxInI6B5IANHK3ezM1P+PWR1f6u1JTNNh9YOG12T6zez4uFPf+E7eoZ96Z4AVY1i7tbH5idA6vzdZGDr9GptnbaBCvcz4UPG1VMDRZt6gZjzSUt3r6hKOqKJ/U1vWzN6OtoEAMrya/6TRwqZNdUL3+KWP508ROFH590BD8HE2drsKmEuGuQZ1QIgdhJSNuJUSxlqs2vFxKrvgNLEoJUIXXnWRUhis0rHNThAZWYb40NTxTe5EMwc/g3e82ALWtQdt4E9fvA34hkyNACCct8Rhdi6yv+/zr75PdmqtAGiy40eThCL1+CctvzHEnnuY2BccA3rWIKBLwkXXAngi/7DVGr+UO+GJLtqOeXLIHgCFwSA7IkDuaygGFOIEQcIAJwnzCYloAAAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAW8AAAAAAAAAAAAAAAAEtRS2kSeULjPfdJ4YfFGEir+G1RruLcPyCFvDGFBOfjgShBG3f","transaction_id":{"@type":"internal.transactionId","lt":"823000001","hash":"Ci/401J9kaHmt8iLHU5TzZdcUcOys/oMn9q8H6iJHh4="},"fee":"40946","storage_fee":"946","other_fee":"40000","out_msgs":[],"in_msg":{"@type":"raw.message","hash":"bLIv4uwiTXptTdrOTb87GKC23tMYv0XLv+1y40kSw1E=","source":{"@type":"accountAddress","account_address":"EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"},"destination":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"value":"250000000","extra_currencies":[],"fwd_fee":"806407","ihr_fee":"0","created_lt":"821000002","body_hash":"X3jLiClOfzPSfsv5rMjQCySWDzpC4WDBXrV6dSlOlAw=","msg_data":{"@type":"msg.dataEncryptedText","text":"O60P1gV/CsV8BO134goxMToRH8PLLHzJnj8SJyOgeSADRyt3szNT/j1kdX+rtSUzTYfWDhtdk+s3s+LhT3/hO3qGfemeAFWNYu7Wx+YnQOr83WRg6/RqbZ22gQr3M+FDxtVTA0WbeoGY80lLd6+oSjqiif1Nb1szejra8mv+k0cKmTXVC9/ilj+dPEThR+fdAQ/BxNna7CphLhrkGdUCIHYSUjbiVEsZarNrxcSq74DSxKCVCF151kVIYrNKxzU4QGVmG+NDU8U3uRDMHP4N3vNgC1rUHbeBPX7wN+IZMjQ="}}},{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"utime":1767251640,"data":"te6cckECDwEAAvIAA7V0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAAABnPDkFAfe5DWjdVvyhmhE5N9ZKxj1rjOOCZVhjTzwkitkD7rgAAAAABfXhBaVYeuAACRleVjoAQsMAgHgAggCRYgAjVqCRRfgTn8wsj0RXUufvHrCzsQhNgxCRGq1dfARyvweAwYCATQEBQCy/wAg3aTy0CCDCNcYIPkBAdMf0x/TH+1E0NMf0x/XC/8hJbry4CEiJ7ry4CIl+CO78tAjJyki+RDy4CT4AAGkWMjLH8sfy//J7VT4DyDXSo4H0wfUWQH7AOQAUAAAAAoAAAAAj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B5UhxABmmB8rI4liEen6Mg+u2gy+Ftl17A7Bzri+ZxOd14fbMtc7Kcv2pS6xkRiwo/ZX+VrBkRaWqe7GJbViWrNT6RBvQ8AAAAKaVYjaAAAAAADBwFoYgBZ2fKaKBecu7UxpZ1KspnWPKlx5bZjuZAo4Klt5QrZu6aE7hgAAAAAAAAAAAAAAAAAAQoBAd8JAbFoAI1agkUX4E5/MLI9EV1Ln7x6ws7EITYMQkRqtXXwEcr9ACzs+U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd00J3DAAGCpRcAAAAADOeHITSrD1wwAoAMgAAAABUaGFua3MgZm9yIHRoZSBjb2ZmZWUAgnJTh65JI0a+FtjMnQ6WHNkEh3HSq3i0vHAW0UmDvqS4bN8Rhdi6yv+/zr75PdmqtAGiy40eThCL1+CctvzHEnnuAg8MeUYYjDwEQA0OAJ1BZwMTiAAAAAAAAAAADkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAG/Jg/egTAqUSAAAAAAAAgAAAAAAA9PMSp4Z+P/HoCvs0CvFV+RtpRs6KsC8VPuU8B58vkSEQJAcTC2v848=","transaction_id":{"@type":"internal.transactionId","lt":"433000001","hash":"qN6uANY/1rr89VgEiAu5oo8eZFEqsi4Cx3EBjzL4Wm0="},"fee":"3216629","storage_fee":"229","other_fee":"3216400","out_msgs":[{"@type":"raw.message","hash":"ZkTz5W0WyEOczdEYutwoY3YGPrZgF7hg8Y9UM1rDTsA=","source":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"destination":{"@type":"accountAddress","account_address":"EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"},"value":"3500000000","extra_currencies":[],"fwd_fee":"346670","ihr_fee":"0","created_lt":"433000002","body_hash":"Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=","msg_data":{"@type":"msg.dataText","text":"VGhhbmtzIGZvciB0aGUgY29mZmVl"}}],"in_msg":{"@type":"raw.message","hash":"CY5FqEVi43z/GNwjXBL0PFuX2SsCmUwb65Lw7ohqD8w=","source":{"@type":"accountAddress","account_address":""},"destination":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"value":"0","extra_currencies":[],"fwd_fee":"0","ihr_fee":"0","created_lt":"0","body_hash":"lrux8LxK50H9Pie4fVHdnX90cMSBelsh92j7CjU2AuQ=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAwEAogABmmB8rI4liEen6Mg+u2gy+Ftl17A7Bzri+ZxOd14fbMtc7Kcv2pS6xkRiwo/ZX+VrBkRaWqe7GJbViWrNT6RBvQ8AAAAKaVYjaAAAAAADAQFoYgBZ2fKaKBecu7UxpZ1KspnWPKlx5bZjuZAo4Klt5QrZu6aE7hgAAAAAAAAAAAAAAAAAAQIAMgAAAABUaGFua3MgZm9yIHRoZSBjb2ZmZWW+eznm","init_state":"te6cckEBAwEAigACATQBAgCy/wAg3aTy0CCDCNcYIPkBAdMf0x/TH+1E0NMf0x/XC/8hJbry4CEiJ7ry4CIl+CO78tAjJyki+RDy4CT4AAGkWMjLH8sfy//J7VT4DyDXSo4H0wfUWQH7AOQAUAAAAAoAAAAAj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B5UhxD1neni"}}}],"previous_transaction_id":{"@type":"internal.transactionId","lt":"25000001","hash":"QH3uQ1o3Vb8oZoROTfWSsY9a4zjgmVYY088JIrZA+64="}},
    "last-page": {"@type":"raw.transactions","transactions":[{"@type":"raw.transaction","address":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"utime":1767227160,"data":"te6cckECBQEAAQsAA690atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAAAAF9eEEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAaVW/GAABgIAQMEAQGgAgCzSAFnZ8pooF5y7tTGlnUqymdY8qXHltmO5kCjgqW3lCtm7wARq1BIovwJz+YWR6IrqXP3j1hZ2IQmwYhIjVauvgI5X5QLLQXgAAYII1oAAAAAAr3nhNKrfUBAAIJykK7Illr6uxbrw8ubQI665xthjXh4i8gNCYQ1k8rJjaRTh65JI0a+FtjMnQ6WHNkEh3HSq3i0vHAW0UmDvqS4bAARDAlAstBeAAEg9B9KXQ==","transaction_id":{"@type":"internal.transactionId","lt":"25000001","hash":"QH3uQ1o3Vb8oZoROTfWSsY9a4zjgmVYY088JIrZA+64="},"fee":"0","storage_fee":"0","other_fee":"0","out_msgs":[],"in_msg":{"@type":"raw.message","hash":"6qX366Z1vdE/T8wj2QZOtv09cOwCuyHHZhUOMImd/1Y=","source":{"@type":"accountAddress","account_address":"EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"},"destination":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"value":"12000000000","extra_currencies":[],"fwd_fee":"266669","ihr_fee":"0","created_lt":"23000002","body_hash":"lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAQEAAgAAAEysuc0=","init_state":""}}}],"previous_transaction_id":{"@type":"internal.transactionId","lt":"0","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}},
    "empty-page": {"@type":"raw.transactions","transactions":[],"previous_transaction_id":{"@type":"internal.transactionId","lt":"0","hash":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}},
  },
  lookupBlock: {
    head: {"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":840,"root_hash":"rTmZTi/eMhTVFsgwjvtTZQQ/h1wI4PVexC8CBDXmmiY=","file_hash":"EEjDiuTPTX2QLpZjdKhkL3wR9eJY4HyoOCTlWfnpMew="},
    "by-seqno": {"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":217,"root_hash":"fSO39FWbnhufhAJ0v5sUoR+Vd7ufg2XIJIXqCdyaOUs=","file_hash":"4TTFfcPdLzF4JV7Zk9JWfGgLeYRvp12iSz8+Biyxv7E="},
    "by-lt": {"@type":"chain.blockIdExt","workchain":0,"shard":"5764607523034234880","seqno":217,"root_hash":"4NsU2cBfis8bJHfsqZuh/cX+NQQOYkOJMUZfC2c+BQw=","file_hash":"E3C21nR/Glpg9OAobPW3Z5ugMPe0gkPu2svvuwX1cJE="},
    "by-unixtime": {"@type":"chain.blockIdExt","workchain":-1,"shard":"-9223372036854775808","seqno":217,"root_hash":"fSO39FWbnhufhAJ0v5sUoR+Vd7ufg2XIJIXqCdyaOUs=","file_hash":"4TTFfcPdLzF4JV7Zk9JWfGgLeYRvp12iSz8+Biyxv7E="},
  },
  tryLocateResultTx: {
    transfer: {"@type":"ext.transaction","address":{"@type":"accountAddress","account_address":"EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz"},"account":"0:B3B3E534502F39776A634B3A956533AC7952E3CB6CC7732051C152DBCA15B377","utime":1767251760,"data":"te6cckECCAEAAa0AA7N7Oz5TRQLzl3amNLOpVlM6x5UuPLbMdzIFHBUtvKFbN3AAAAABntksG/zfrZYNMdW4H2H6yDpuD/4duL5Y6yuEeXr8kfSBaNggAAAAABXvPBaVYfMAABRUBUgBBAUBAaACAbFoAI1agkUX4E5/MLI9EV1Ln7x6ws7EITYMQkRqtXXwEcr9ACzs+U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd00J3DAAGCpRcAAAAADOeHITSrD1wwAMAMgAAAABUaGFua3MgZm9yIHRoZSBjb2ZmZWUAgnJclRt0rVU9LP2bLS0d7raRO5rK7QhFyRq4Pa/J4XsOiMI3NYIGq6SRZxfxm97xqr2nuPpHDJ7rgangvF0g6YvlAhcEgPqJNCdwwBhTiBEGBwCcJ8w9CQAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFvAAAAAAAAAAAAAAAABLUUtpEnlC4z33SeGHxRhIq/htUa7i3D8ghbwxhQTn44EXnUTBQ==","transaction_id":{"@type":"internal.transactionId","lt":"435000001","hash":"+8nbFC29mgz4VH/2NpDwMMzLf4HRpHwuKjjUy8u8d6c="},"fee":"41002","storage_fee":"1002","other_fee":"40000","out_msgs":[],"in_msg":{"@type":"ext.message","hash":"ZkTz5W0WyEOczdEYutwoY3YGPrZgF7hg8Y9UM1rDTsA=","source":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi","destination":"EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz","value":"3500000000","extra_currencies":[],"fwd_fee":"346670","ihr_fee":"0","created_lt":"433000002","body_hash":"Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=","msg_data":{"@type":"msg.dataText","text":"VGhhbmtzIGZvciB0aGUgY29mZmVl"},"message":"Thanks for the coffee"}},
  },
  tryLocateSourceTx: {
    transfer: {"@type":"ext.transaction","address":{"@type":"accountAddress","account_address":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi"},"account":"0:46AD41228BF0273F98591E88AEA5CFDE3D616762109B062122355ABAF808E57E","utime":1767251640,"data":"te6cckECDwEAAvIAA7V0atQSKL8Cc/mFkeiK6lz949YWdiEJsGISI1Wrr4COV+AAAAABnPDkFAfe5DWjdVvyhmhE5N9ZKxj1rjOOCZVhjTzwkitkD7rgAAAAABfXhBaVYeuAACRleVjoAQsMAgHgAggCRYgAjVqCRRfgTn8wsj0RXUufvHrCzsQhNgxCRGq1dfARyvweAwYCATQEBQCy/wAg3aTy0CCDCNcYIPkBAdMf0x/TH+1E0NMf0x/XC/8hJbry4CEiJ7ry4CIl+CO78tAjJyki+RDy4CT4AAGkWMjLH8sfy//J7VT4DyDXSo4H0wfUWQH7AOQAUAAAAAoAAAAAj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B5UhxABmmB8rI4liEen6Mg+u2gy+Ftl17A7Bzri+ZxOd14fbMtc7Kcv2pS6xkRiwo/ZX+VrBkRaWqe7GJbViWrNT6RBvQ8AAAAKaVYjaAAAAAADBwFoYgBZ2fKaKBecu7UxpZ1KspnWPKlx5bZjuZAo4Klt5QrZu6aE7hgAAAAAAAAAAAAAAAAAAQoBAd8JAbFoAI1agkUX4E5/MLI9EV1Ln7x6ws7EITYMQkRqtXXwEcr9ACzs+U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd00J3DAAGCpRcAAAAADOeHITSrD1wwAoAMgAAAABUaGFua3MgZm9yIHRoZSBjb2ZmZWUAgnJTh65JI0a+FtjMnQ6WHNkEh3HSq3i0vHAW0UmDvqS4bN8Rhdi6yv+/zr75PdmqtAGiy40eThCL1+CctvzHEnnuAg8MeUYYjDwEQA0OAJ1BZwMTiAAAAAAAAAAADkAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAG/Jg/egTAqUSAAAAAAAAgAAAAAAA9PMSp4Z+P/HoCvs0CvFV+RtpRs6KsC8VPuU8B58vkSEQJAcTC2v848=","transaction_id":{"@type":"internal.transactionId","lt":"433000001","hash":"qN6uANY/1rr89VgEiAu5oo8eZFEqsi4Cx3EBjzL4Wm0="},"fee":"3216629","storage_fee":"229","other_fee":"3216400","out_msgs":[{"@type":"ext.message","hash":"ZkTz5W0WyEOczdEYutwoY3YGPrZgF7hg8Y9UM1rDTsA=","source":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi","destination":"EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz","value":"3500000000","extra_currencies":[],"fwd_fee":"346670","ihr_fee":"0","created_lt":"433000002","body_hash":"Q4fzDvQXY2kXJ/50RvmCVloEveKLFt8a66zySh7DxmU=","msg_data":{"@type":"msg.dataText","text":"VGhhbmtzIGZvciB0aGUgY29mZmVl"},"message":"Thanks for the coffee"}],"in_msg":{"@type":"ext.message","hash":"CY5FqEVi43z/GNwjXBL0PFuX2SsCmUwb65Lw7ohqD8w=","source":"","destination":"EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi","value":"0","extra_currencies":[],"fwd_fee":"0","ihr_fee":"0","created_lt":"0","body_hash":"lrux8LxK50H9Pie4fVHdnX90cMSBelsh92j7CjU2AuQ=","msg_data":{"@type":"msg.dataRaw","body":"te6cckEBAwEAogABmmB8rI4liEen6Mg+u2gy+Ftl17A7Bzri+ZxOd14fbMtc7Kcv2pS6xkRiwo/ZX+VrBkRaWqe7GJbViWrNT6RBvQ8AAAAKaVYjaAAAAAADAQFoYgBZ2fKaKBecu7UxpZ1KspnWPKlx5bZjuZAo4Klt5QrZu6aE7hgAAAAAAAAAAAAAAAAAAQIAMgAAAABUaGFua3MgZm9yIHRoZSBjb2ZmZWW+eznm","init_state":"te6cckEBAwEAigACATQBAgCy/wAg3aTy0CCDCNcYIPkBAdMf0x/TH+1E0NMf0x/XC/8hJbry4CEiJ7ry4CIl+CO78tAjJyki+RDy4CT4AAGkWMjLH8sfy//J7VT4DyDXSo4H0wfUWQH7AOQAUAAAAAoAAAAAj2CZmjX9X9SnRPhwx+ZSjcVYbZ6tdPxulvkd8B5UhxD1neni"}}},
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
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** An address with a wrong checksum. */
    readonly "wrong-checksum": ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** A fault of the service. */
    readonly internal: ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
  readonly getConsensusBlock: {
    /** A key that the service does not know. */
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** A request that cannot be read. */
    readonly unreadable: ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** A fault of the service. */
    readonly internal: ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
  readonly getMasterchainInfo: {
    /** A key that the service does not know. */
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** A request that cannot be read. */
    readonly unreadable: ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** A fault of the service. */
    readonly internal: ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
  readonly getOutMsgQueueSize: {
    /** A key that the service does not know. */
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** A request that cannot be read. */
    readonly unreadable: ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** A fault of the service. */
    readonly internal: ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
  readonly getTransactionsStd: {
    /** A key that the service does not know. */
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** An lt without its hash. */
    readonly "lt-without-hash": ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** Older than the history of the node. */
    readonly "pruned-history": ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
  readonly lookupBlock: {
    /** A key that the service does not know. */
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** A block that does not exist yet. */
    readonly "past-head": ResponseMaker;
    /** A request that cannot be read. */
    readonly unreadable: ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** A fault of the service. */
    readonly internal: ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
  readonly tryLocateResultTx: {
    /** A key that the service does not know. */
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** There is no such message. */
    readonly "not-found": ResponseMaker;
    /** The message still waits in a queue. */
    readonly "not-yet-processed": ResponseMaker;
    /** A request that cannot be read. */
    readonly unreadable: ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** A fault of the service. */
    readonly internal: ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
  readonly tryLocateSourceTx: {
    /** A key that the service does not know. */
    readonly "unknown-key": ResponseMaker;
    /** A key for another network. */
    readonly "other-network-key": ResponseMaker;
    /** A message from outside has no source. */
    readonly "external-message": ResponseMaker;
    /** A request that cannot be read. */
    readonly unreadable: ResponseMaker;
    /** Too many requests without a key. */
    readonly "rate-limited": ResponseMaker;
    /** A fault of the service. */
    readonly internal: ResponseMaker;
    /** The node did not respond in time. */
    readonly "node-timeout": ResponseMaker;
    /** No node is available. */
    readonly "no-node": ResponseMaker;
  };
} = {
  getAddressInformation: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    "wrong-checksum": /* @__PURE__ */ apiFailure(422, {"error":"address: wrong checksum; an address is workchain:64 hexadecimal digits or 48 characters of base64","reason":"invalid_input","input":"address","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    internal: /* @__PURE__ */ apiFailure(500, {"error":"internal error; the service's log has the details under request 1f0c9a52","reason":"internal","extra":"1767326417:0:0.002"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
  getConsensusBlock: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    unreadable: /* @__PURE__ */ apiFailure(422, {"error":"the request cannot be read","reason":"invalid_input","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    internal: /* @__PURE__ */ apiFailure(500, {"error":"internal error; the service's log has the details under request 1f0c9a52","reason":"internal","extra":"1767326417:0:0.002"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
  getMasterchainInfo: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    unreadable: /* @__PURE__ */ apiFailure(422, {"error":"the request cannot be read","reason":"invalid_input","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    internal: /* @__PURE__ */ apiFailure(500, {"error":"internal error; the service's log has the details under request 1f0c9a52","reason":"internal","extra":"1767326417:0:0.002"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
  getOutMsgQueueSize: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    unreadable: /* @__PURE__ */ apiFailure(422, {"error":"the request cannot be read","reason":"invalid_input","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    internal: /* @__PURE__ */ apiFailure(500, {"error":"internal error; the service's log has the details under request 1f0c9a52","reason":"internal","extra":"1767326417:0:0.002"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
  getTransactionsStd: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    "lt-without-hash": /* @__PURE__ */ apiFailure(422, {"error":"hash: missing; lt and hash should be used together","reason":"invalid_input","input":"hash","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    "pruned-history": /* @__PURE__ */ apiFailure(500, {"error":"lt 433000001 is not in this node's history, use archival=true to reach it","reason":"history_pruned","extra":"1767931217:3:0.008"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
  lookupBlock: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    "past-head": /* @__PURE__ */ apiFailure(404, {"error":"block was not found: seqno 1000000000 is past the head, 840","reason":"block_pending","extra":"1767326417:0:0.001"}),
    unreadable: /* @__PURE__ */ apiFailure(422, {"error":"the request cannot be read","reason":"invalid_input","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    internal: /* @__PURE__ */ apiFailure(500, {"error":"internal error; the service's log has the details under request 1f0c9a52","reason":"internal","extra":"1767326417:0:0.002"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
  tryLocateResultTx: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    "not-found": /* @__PURE__ */ apiFailure(404, {"error":"transaction was not found: the source account sent no such message","reason":"message_unknown","extra":"1767326417:0:0.001"}),
    "not-yet-processed": /* @__PURE__ */ apiFailure(404, {"error":"transaction was not found: the message is known and still waits in a queue, try again later","reason":"message_pending","extra":"1767326417:0:0.001"}),
    unreadable: /* @__PURE__ */ apiFailure(422, {"error":"the request cannot be read","reason":"invalid_input","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    internal: /* @__PURE__ */ apiFailure(500, {"error":"internal error; the service's log has the details under request 1f0c9a52","reason":"internal","extra":"1767326417:0:0.002"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
  tryLocateSourceTx: {
    "unknown-key": /* @__PURE__ */ apiFailure(401, {"error":"API key does not exist","reason":"unknown_key","extra":"1767326417:0:0.000"}),
    "other-network-key": /* @__PURE__ */ apiFailure(403, {"error":"the API key is not valid for this network","reason":"wrong_network","extra":"1767326417:0:0.000"}),
    "external-message": /* @__PURE__ */ apiFailure(404, {"error":"transaction was not found: a message from outside the chain (source \"\") has no source transaction","reason":"message_unknown","extra":"1767326417:0:0.001"}),
    unreadable: /* @__PURE__ */ apiFailure(422, {"error":"the request cannot be read","reason":"invalid_input","extra":"1767326417:0:0.000"}),
    "rate-limited": /* @__PURE__ */ apiFailure(429, {"error":"rate limit exceeded: 1 request per second without an API key","reason":"rate_limited","extra":"1767326417:0:0.000"}),
    internal: /* @__PURE__ */ apiFailure(500, {"error":"internal error; the service's log has the details under request 1f0c9a52","reason":"internal","extra":"1767326417:0:0.002"}),
    "node-timeout": /* @__PURE__ */ apiFailure(504, {"error":"the node did not respond within 10 seconds","reason":"timeout","extra":"1767326427:2:10.001"}),
    "no-node": /* @__PURE__ */ apiFailure(542, {"error":"no node is available","reason":"unavailable","extra":"1767326417:0:0.000"}),
  },
};
