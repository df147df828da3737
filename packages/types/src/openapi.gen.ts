/** Generated from @chain-query/openapi by `pnpm generate`. Do not edit: change the contract. */

export interface paths {
    "/api/v2/getAddressInformation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the state of an account
         * @description Reads balance, code, data and state of an account, as of the head or of an earlier masterchain block. An account that was never seen is answered as uninitialized with balance "0".
         */
        post: operations["getAddressInformation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getConsensusBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the latest consensus block
         * @description Reads the latest masterchain block that enough nodes of the deployment hold for every one of them to answer from it.
         */
        post: operations["getConsensusBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getMasterchainInfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the head of the masterchain
         * @description Reads the latest masterchain block, the hash of the state after it, and the zero state from which the chain began.
         */
        get: operations["getMasterchainInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getOutMsgQueueSize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the sizes of the outbound message queues
         * @description Reads how many messages wait in the outbound queue of each shard, the masterchain first.
         */
        post: operations["getOutMsgQueueSize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/getTransactionsStd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions of an account
         * @description Lists transactions of an account, newest first, from the one that lt and hash name or else from the latest. The next page starts at previous_transaction_id; a page shorter than the limit does not end the history.
         */
        get: operations["getTransactionsStd"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/lookupBlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a block
         * @description Finds the identifier of a block by workchain and shard and exactly one of seqno, lt and unixtime. By lt it is the first block that ends at or after it, which is the block that contains it or, between two blocks, the later one. By unixtime it is the first block at or after it. The shard of the answer may be an ancestor or a descendant of the one asked for.
         */
        post: operations["lookupBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tryLocateResultTx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Locate the transaction that a message produced
         * @description Finds the transaction with which the destination account consumed a message.
         */
        get: operations["tryLocateResultTx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/tryLocateSourceTx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Locate the transaction that produced a message
         * @description Finds the transaction of the source account that sent a message. A message from outside the chain has no such transaction.
         */
        post: operations["tryLocateSourceTx"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Account address in either of two forms, detected automatically. The raw form is the workchain, a colon and 64 hexadecimal digits. The user-friendly form is 48 characters of base64 in the standard or URL-safe alphabet, which hold flags and a checksum.
         * @example 0:0000000000000000000000000000000000000000000000000000000000000000
         */
        Address: string;
        /** @description The account to read, and optionally the block as of which to read it. */
        GetAddressInformationRequest: {
            /** @description Address of the account, in user-friendly or raw form. */
            address: components["schemas"]["Address"];
            /**
             * @description Sequence number of the masterchain block as of which the state is read, a positive decimal string; the head if it is left out.
             * @example 20000
             */
            seqno?: string;
        };
        /**
         * @description Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`.
         * @example 1767325600:0:0.004
         */
        Extra: string;
        /** @description Envelope of every request that did not succeed. */
        Failure: {
            /**
             * @description Always false in this envelope.
             * @example false
             * @constant
             */
            ok: false;
            /**
             * @description What went wrong, as a message for people.
             * @example transaction was not found
             */
            error: string;
            /**
             * Format: int32
             * @description Number of the failure, equal to the HTTP status code.
             * @example 404
             */
            code: number;
            "@extra"?: components["schemas"]["Extra"];
        };
        /**
         * @description Amount in the smallest unit of the currency, a non-negative integer as a decimal string.
         * @example 1000000000
         */
        Amount: string;
        /** @description An amount of a currency other than the chain's own. */
        extraCurrency: {
            /**
             * @description Type of the object.
             * @example extraCurrency
             * @constant
             */
            "@type": "extraCurrency";
            /**
             * Format: int64
             * @description Number of the currency, an unsigned 32-bit integer.
             * @example 100
             */
            id: number;
            amount: components["schemas"]["Amount"];
        };
        /**
         * @description Logical time, a counter that orders all events of the chain; a higher value is more recent. An unsigned integer below 2^63 as a decimal string, because it does not fit a JSON number.
         * @example 8000001
         */
        LogicalTime: string;
        /**
         * @description A 256-bit hash, as standard base64 with padding (44 characters).
         * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
         */
        Hash: string;
        /** @description Identifier of a transaction within the history of its account. */
        "internal.transactionId": {
            /**
             * @description Type of the object.
             * @example internal.transactionId
             * @constant
             */
            "@type": "internal.transactionId";
            lt: components["schemas"]["LogicalTime"];
            /** @description Hash of the transaction's root cell, as standard base64 (44 characters). */
            hash: components["schemas"]["Hash"];
        };
        /**
         * Format: int32
         * @description Workchain number. The masterchain is -1 and the basechain is 0.
         * @example -1
         */
        Workchain: number;
        /**
         * @description Shard identifier, a signed 64-bit integer as a decimal string, because it does not fit a JSON number. The masterchain has the single shard -9223372036854775808.
         * @example -9223372036854775808
         */
        ShardId: string;
        /**
         * Format: int64
         * @description Sequence number of a block, also called its height, an unsigned 32-bit integer. The zero state has 0.
         * @example 20000
         */
        Seqno: number;
        /** @description Identifier of a block, complete enough to prove its content. */
        "chain.blockIdExt": {
            /**
             * @description Type of the object, which is the network's own word, a dot and `blockIdExt`.
             * @example chain.blockIdExt
             */
            "@type": `${string}.blockIdExt`;
            workchain: components["schemas"]["Workchain"];
            shard: components["schemas"]["ShardId"];
            seqno: components["schemas"]["Seqno"];
            /** @description Hash of the block's root cell, as standard base64 (44 characters). */
            root_hash: components["schemas"]["Hash"];
            /** @description Hash of the block's serialised bytes, as standard base64 (44 characters). */
            file_hash: components["schemas"]["Hash"];
        };
        /**
         * @description A tree of cells serialised as a bag of cells, as standard base64 with padding; empty if absent.
         * @example te6cckEBAQEAAgAAAEysuc0=
         */
        Boc: string;
        /**
         * @description Hash of the state that a frozen account had, as standard base64 (44 characters); empty for an account that is not frozen.
         * @example
         */
        FrozenHash: string;
        /**
         * Format: int64
         * @description Time in whole seconds since 1970-01-01T00:00:00Z, an unsigned 32-bit integer.
         * @example 1767325600
         */
        UnixTime: number;
        /**
         * @description State of the account. The values known are `uninitialized` (no code; it may hold a balance), `active` (it has code) and `frozen` (its code and data were replaced by their hash); a client accepts others too.
         * @example uninitialized
         * @example active
         * @example frozen
         */
        AccountState: string;
        /** @description State of an account as of a masterchain block. */
        "raw.fullAccountState": {
            /**
             * @description Type of the object.
             * @example raw.fullAccountState
             * @constant
             */
            "@type": "raw.fullAccountState";
            /** @description Balance of the account in the smallest unit, "0" for one never seen. */
            balance: components["schemas"]["Amount"];
            /** @description Balances in other currencies. */
            extra_currencies: components["schemas"]["extraCurrency"][];
            /** @description Latest transaction of the account, from which a listing can start; lt "0" and a hash of 32 zero bytes if there is no transaction. */
            last_transaction_id: components["schemas"]["internal.transactionId"];
            /** @description Masterchain block as of which the state was read. */
            block_id: components["schemas"]["chain.blockIdExt"];
            /** @description Code of the contract, a bag of cells in base64; empty if it has no code. */
            code: components["schemas"]["Boc"];
            /** @description Data of the contract, a bag of cells in base64; empty if it has no data. */
            data: components["schemas"]["Boc"];
            frozen_hash: components["schemas"]["FrozenHash"];
            /** @description Time of the block in block_id, in Unix seconds. */
            sync_utime: components["schemas"]["UnixTime"];
            /** @description State of the account. The values known are `uninitialized` (no code; it may hold a balance), `active` (it has code) and `frozen` (its code and data were replaced by their hash); a client accepts others too. */
            state: components["schemas"]["AccountState"];
            /**
             * @description True where the network's configuration has suspended the account; absent otherwise.
             * @example true
             */
            suspended?: boolean;
        };
        /** @description Answer of getAddressInformation. */
        GetAddressInformationEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["raw.fullAccountState"];
            "@extra"?: components["schemas"]["Extra"];
        };
        /** @description A body without members, because the operation takes no input. */
        EmptyRequest: Record<string, never>;
        /** @description Latest masterchain block that enough nodes hold for it to be relied upon. */
        "ext.blocks.consensusBlock": {
            /**
             * @description Type of the object.
             * @example ext.blocks.consensusBlock
             * @constant
             */
            "@type": "ext.blocks.consensusBlock";
            /** @description Sequence number of that block. It never decreases and never exceeds last.seqno of the head. */
            consensus_block: components["schemas"]["Seqno"];
            /** @description Time at which that block was agreed upon, in whole Unix seconds. */
            timestamp: components["schemas"]["UnixTime"];
        };
        /** @description Answer of getConsensusBlock. */
        GetConsensusBlockEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["ext.blocks.consensusBlock"];
            "@extra"?: components["schemas"]["Extra"];
        };
        /** @description Head of the masterchain. */
        "blocks.masterchainInfo": {
            /**
             * @description Type of the object.
             * @example blocks.masterchainInfo
             * @constant
             */
            "@type": "blocks.masterchainInfo";
            /** @description Latest block of the masterchain; its seqno is the height of the chain. */
            last: components["schemas"]["chain.blockIdExt"];
            /** @description Hash of the root cell of the state after the latest block, as standard base64 (44 characters). */
            state_root_hash: components["schemas"]["Hash"];
            /** @description The zero state from which the chain began; its seqno is 0 and its shard is the text "0". */
            init: components["schemas"]["chain.blockIdExt"];
        };
        /** @description Answer of getMasterchainInfo. */
        GetMasterchainInfoEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["blocks.masterchainInfo"];
            "@extra"?: components["schemas"]["Extra"];
        };
        /** @description Size of the outbound message queue of one shard. */
        "blocks.outMsgQueueSize": {
            /**
             * @description Type of the object.
             * @example blocks.outMsgQueueSize
             * @constant
             */
            "@type": "blocks.outMsgQueueSize";
            /** @description Latest block of the shard. */
            id: components["schemas"]["chain.blockIdExt"];
            /**
             * Format: int64
             * @description Number of messages that wait in the queue.
             * @example 3
             */
            size: number;
        };
        /** @description Sizes of the outbound message queues of all shards. */
        "blocks.outMsgQueueSizes": {
            /**
             * @description Type of the object.
             * @example blocks.outMsgQueueSizes
             * @constant
             */
            "@type": "blocks.outMsgQueueSizes";
            /** @description One entry for each shard, the masterchain first. */
            shards: components["schemas"]["blocks.outMsgQueueSize"][];
            /**
             * Format: int64
             * @description Number of waiting messages above which the network takes no external message.
             * @example 8000
             */
            ext_msg_queue_size_limit: number;
        };
        /** @description Answer of getOutMsgQueueSize. */
        GetOutMsgQueueSizeEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["blocks.outMsgQueueSizes"];
            "@extra"?: components["schemas"]["Extra"];
        };
        /**
         * @description A 256-bit hash, as hexadecimal (64 characters) or as base64 with padding (44 characters, standard or URL-safe alphabet); the encoding is detected from the length.
         * @example 0000000000000000000000000000000000000000000000000000000000000000
         */
        HashInput: string;
        /**
         * @description Account address in raw or user-friendly form, or the empty string where a message has no such end because it comes from outside the chain or leaves it.
         * @example
         */
        AddressOrEmpty: string;
        /** @description Address of an account, wrapped in an object. */
        accountAddress: {
            /**
             * @description Type of the object.
             * @example accountAddress
             * @constant
             */
            "@type": "accountAddress";
            /** @description Address in the user-friendly, bounceable form; empty where a message has no such end. */
            account_address: components["schemas"]["AddressOrEmpty"];
        };
        /** @description Content of a message whose body is not decoded. */
        "msg.dataRaw": {
            /**
             * @description Type of the content. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            "@type": "msg.dataRaw";
            /** @description Body of the message, a bag of cells in base64. */
            body: components["schemas"]["Boc"];
            /** @description State with which the message deploys a contract, a bag of cells in base64; empty if it deploys no contract. */
            init_state: components["schemas"]["Boc"];
        };
        /**
         * @description Bytes as standard base64 with padding; empty if there are no bytes.
         * @example VGhhbmtzIGZvciB0aGUgY29mZmVl
         */
        Base64: string;
        /** @description A text comment that is not encrypted. */
        "msg.dataText": {
            /**
             * @description Type of the content. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            "@type": "msg.dataText";
            /** @description Text as UTF-8 in standard base64. */
            text: components["schemas"]["Base64"];
        };
        /** @description A text comment that only its reader can decrypt. */
        "msg.dataEncryptedText": {
            /**
             * @description Type of the content. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            "@type": "msg.dataEncryptedText";
            /** @description Encrypted bytes in standard base64. */
            text: components["schemas"]["Base64"];
        };
        /** @description A text comment that was sent encrypted and that the service has decrypted. */
        "msg.dataDecryptedText": {
            /**
             * @description Type of the content. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            "@type": "msg.dataDecryptedText";
            /** @description Decrypted text as UTF-8 in standard base64. */
            text: components["schemas"]["Base64"];
        };
        /** @description Content of a message; its `@type` says which kind it is. */
        MessageContent: components["schemas"]["msg.dataRaw"] | components["schemas"]["msg.dataText"] | components["schemas"]["msg.dataEncryptedText"] | components["schemas"]["msg.dataDecryptedText"];
        /** @description A message as the listing of an account's transactions shows it. */
        "raw.message": {
            /**
             * @description Type of the object.
             * @example raw.message
             * @constant
             */
            "@type": "raw.message";
            /** @description Hash of the message's root cell, as standard base64 (44 characters). */
            hash: components["schemas"]["Hash"];
            /** @description Address of the sender; its text is empty for an external message. */
            source: components["schemas"]["accountAddress"];
            /** @description Address of the recipient; its text is empty for a message that leaves the chain. */
            destination: components["schemas"]["accountAddress"];
            /** @description Amount that the message carries, in the smallest unit. */
            value: components["schemas"]["Amount"];
            /** @description Amounts of other currencies that the message carries. */
            extra_currencies: components["schemas"]["extraCurrency"][];
            /** @description Fee for forwarding the message, in the smallest unit. */
            fwd_fee: components["schemas"]["Amount"];
            /** @description Fee for instant hypercube routing, in the smallest unit. */
            ihr_fee: components["schemas"]["Amount"];
            /** @description Logical time at which the message was created, a decimal string. */
            created_lt: components["schemas"]["LogicalTime"];
            /** @description Hash of the body's root cell, as standard base64 (44 characters). */
            body_hash: components["schemas"]["Hash"];
            msg_data: components["schemas"]["MessageContent"];
        };
        /** @description A transaction as the listing of an account's transactions shows it. */
        "raw.transaction": {
            /**
             * @description Type of the object.
             * @example raw.transaction
             * @constant
             */
            "@type": "raw.transaction";
            /** @description Account that the transaction belongs to. */
            address: components["schemas"]["accountAddress"];
            /** @description Time of the block that holds the transaction, in Unix seconds. */
            utime: components["schemas"]["UnixTime"];
            /** @description The whole transaction, a bag of cells in base64. */
            data: components["schemas"]["Boc"];
            transaction_id: components["schemas"]["internal.transactionId"];
            /** @description All fees of the transaction in the smallest unit, which is storage_fee plus other_fee. */
            fee: components["schemas"]["Amount"];
            /** @description Fee for keeping the account's state since its last transaction, in the smallest unit. */
            storage_fee: components["schemas"]["Amount"];
            /** @description All fees but storage_fee, in the smallest unit. */
            other_fee: components["schemas"]["Amount"];
            /** @description Message that started the transaction; absent where the clock did (tick-tock transactions). */
            in_msg?: components["schemas"]["raw.message"];
            /** @description Messages that the transaction sent, in the order of their created_lt. */
            out_msgs: components["schemas"]["raw.message"][];
        };
        /** @description One page of an account's transactions, newest first. */
        "raw.transactions": {
            /**
             * @description Type of the object.
             * @example raw.transactions
             * @constant
             */
            "@type": "raw.transactions";
            /** @description Transactions in strictly descending logical time, the starting one included; a page may be shorter than the limit. */
            transactions: components["schemas"]["raw.transaction"][];
            /** @description Where the next page starts. At the end of the listing its lt is "0" and its hash is 32 zero bytes. */
            previous_transaction_id: components["schemas"]["internal.transactionId"];
        };
        /** @description Answer of getTransactionsStd. */
        GetTransactionsStdEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["raw.transactions"];
            /** @description Identifier of the request. The service repeats the one that the caller passed in, or makes one of the text `<unix seconds>:<node>:<seconds taken>`. */
            "@extra"?: components["schemas"]["Extra"];
            /**
             * @description Version of the JSON-RPC protocol; present only where the request came in a JSON-RPC envelope.
             * @example 2.0
             */
            jsonrpc?: string;
            /**
             * @description Identifier that the JSON-RPC request carried, repeated.
             * @example 1
             */
            id?: string;
        };
        /**
         * Format: int64
         * @description Workchain number, as an integer or a decimal string. The masterchain is -1 and the basechain is 0.
         * @example -1
         */
        WorkchainInput: number | string;
        /**
         * Format: int64
         * @description Shard identifier, a signed 64-bit integer, as a decimal string or an integer; a string loses no digits.
         * @example -9223372036854775808
         */
        ShardIdInput: number | string;
        /**
         * Format: int64
         * @description Sequence number of the block, a positive integer, as an integer or a decimal string.
         * @example 20000
         */
        SeqnoInput: number | string;
        /** @description Finds the block with a sequence number. */
        LookupBlockBySeqno: {
            workchain: components["schemas"]["WorkchainInput"];
            shard: components["schemas"]["ShardIdInput"];
            seqno: components["schemas"]["SeqnoInput"];
        };
        /**
         * Format: int64
         * @description Logical time to find the block by, as a decimal string or an integer; a string loses no digits.
         * @example 8000001
         */
        LogicalTimeInput: number | string;
        /** @description Finds the first block that ends at or after a logical time. */
        LookupBlockByLt: {
            workchain: components["schemas"]["WorkchainInput"];
            shard: components["schemas"]["ShardIdInput"];
            lt: components["schemas"]["LogicalTimeInput"];
        };
        /**
         * Format: int64
         * @description Time in whole seconds since 1970-01-01T00:00:00Z, as an integer or a decimal string.
         * @example 1767325600
         */
        UnixTimeInput: number | string;
        /** @description Finds the first block at or after a time. */
        LookupBlockByUnixtime: {
            workchain: components["schemas"]["WorkchainInput"];
            shard: components["schemas"]["ShardIdInput"];
            unixtime: components["schemas"]["UnixTimeInput"];
        };
        /** @description The chain to search and exactly one of seqno, lt and unixtime to find the block by. */
        LookupBlockRequest: components["schemas"]["LookupBlockBySeqno"] | components["schemas"]["LookupBlockByLt"] | components["schemas"]["LookupBlockByUnixtime"];
        /** @description Answer of lookupBlock. */
        LookupBlockEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["chain.blockIdExt"];
            "@extra"?: components["schemas"]["Extra"];
        };
        /**
         * @description Account address in raw form, which is the workchain, a colon and 64 hexadecimal digits in capitals.
         * @example 0:0000000000000000000000000000000000000000000000000000000000000000
         */
        RawAddress: string;
        /** @description A message as the locate operations show it. Source, destination and created_lt together identify it. */
        "ext.message": {
            /**
             * @description Type of the object.
             * @example ext.message
             * @constant
             */
            "@type": "ext.message";
            /** @description Hash of the message's root cell, as standard base64 (44 characters). */
            hash: components["schemas"]["Hash"];
            /** @description Address of the sender; empty for an external message. */
            source: components["schemas"]["AddressOrEmpty"];
            /** @description Address of the recipient; empty for a message that leaves the chain. */
            destination: components["schemas"]["AddressOrEmpty"];
            /** @description Amount that the message carries, in the smallest unit. */
            value: components["schemas"]["Amount"];
            /** @description Amounts of other currencies that the message carries. */
            extra_currencies: components["schemas"]["extraCurrency"][];
            /** @description Fee for forwarding the message, in the smallest unit. */
            fwd_fee: components["schemas"]["Amount"];
            /** @description Fee for instant hypercube routing, in the smallest unit. */
            ihr_fee: components["schemas"]["Amount"];
            /** @description Logical time at which the message was created, a decimal string. */
            created_lt: components["schemas"]["LogicalTime"];
            /** @description Hash of the body's root cell, as standard base64 (44 characters). */
            body_hash: components["schemas"]["Hash"];
            msg_data: components["schemas"]["MessageContent"];
            /**
             * @description The comment as plain text, where the body is one; left out or undecoded bytes otherwise.
             * @example Thanks for the coffee
             */
            message?: string;
            /**
             * @description Why the body could not be decoded, as a message; present only if decoding failed.
             * @example The comment is not valid UTF-8
             */
            message_decode_error?: string;
        };
        /** @description A transaction as the locate operations show it. */
        "ext.transaction": {
            /**
             * @description Type of the object.
             * @example ext.transaction
             * @constant
             */
            "@type": "ext.transaction";
            /** @description Account that the transaction belongs to. */
            address: components["schemas"]["accountAddress"];
            /** @description The same account in raw form. */
            account: components["schemas"]["RawAddress"];
            /** @description Time of the block that holds the transaction, in Unix seconds. */
            utime: components["schemas"]["UnixTime"];
            /** @description The whole transaction, a bag of cells in base64. */
            data: components["schemas"]["Boc"];
            transaction_id: components["schemas"]["internal.transactionId"];
            /** @description All fees of the transaction in the smallest unit, which is storage_fee plus other_fee. */
            fee: components["schemas"]["Amount"];
            /** @description Fee for keeping the account's state since its last transaction, in the smallest unit. */
            storage_fee: components["schemas"]["Amount"];
            /** @description All fees but storage_fee, in the smallest unit. */
            other_fee: components["schemas"]["Amount"];
            /** @description Message that started the transaction; absent where the clock did (tick-tock transactions). */
            in_msg?: components["schemas"]["ext.message"];
            /** @description Messages that the transaction sent, in the order of their created_lt. */
            out_msgs: components["schemas"]["ext.message"][];
        };
        /** @description Answer of tryLocateResultTx. */
        TryLocateResultTxEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["ext.transaction"];
            "@extra"?: components["schemas"]["Extra"];
        };
        /** @description The message whose producing transaction is sought, identified by three fields. */
        TryLocateSourceTxRequest: {
            /** @description Address of the sender, in raw or user-friendly form; empty for an external message. */
            source: components["schemas"]["AddressOrEmpty"];
            /** @description Address of the recipient, in raw or user-friendly form. */
            destination: components["schemas"]["Address"];
            /** @description Logical time at which the message was created, a decimal string. */
            created_lt: components["schemas"]["LogicalTime"];
        };
        /** @description Answer of tryLocateSourceTx. */
        TryLocateSourceTxEnvelope: {
            /**
             * @description Always true in this envelope.
             * @default true
             * @example true
             * @constant
             */
            ok: true;
            result: components["schemas"]["ext.transaction"];
            "@extra"?: components["schemas"]["Extra"];
        };
    };
    responses: {
        /** @description Any other failure. Its status is in the code member too; 542 says that no node is available. */
        UnexpectedFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The API key is not known to the service. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The API key is known, but not allowed here, for example because it belongs to another network. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The request is not valid; the text names the member that is wrong. */
        UnprocessableContent: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description Too many requests in too short a time. Without a key, one request per second is served. */
        TooManyRequests: {
            headers: {
                /** @description Whole seconds to wait before the next request. Not every deployment sends it. */
                "Retry-After"?: number;
                /** @description What is left of the limit and when it is renewed, by the draft standard for RateLimit fields. Not every deployment sends it. */
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The node could not answer, for example because its history does not reach back so far. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The node did not answer in time. */
        GatewayTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description There is no such block, or not yet. */
        BlockNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description No transaction that consumed the message is known; the text says whether the message does not exist or is not yet processed. */
        ResultTransactionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description No transaction that sent the message is known. */
        SourceTransactionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /** @description Address of the account, in raw or user-friendly form. */
        address: components["schemas"]["Address"];
        /** @description Number of transactions to return at most. */
        limit: number;
        /** @description Logical time of the transaction to start from, a decimal string, given together with hash. The lt of last_transaction_id starts at the most recent one; the lt of previous_transaction_id starts the next page. */
        lt: components["schemas"]["LogicalTime"];
        /** @description Hash of the transaction to start from, given together with lt, as hexadecimal (64 characters) or base64 (44 characters). */
        hash: components["schemas"]["HashInput"];
        /** @description Logical time to stop at, a decimal string; transactions with this lt or a lower one are left out. 0 bounds nothing. */
        to_lt: string;
        /** @description Whether to ask nodes that keep the whole history, for transactions older than about two days; such requests may be slower. */
        archival: boolean;
        /** @description Address of the sender, in raw or user-friendly form. */
        source: components["schemas"]["Address"];
        /** @description Address of the recipient, in raw or user-friendly form. */
        destination: components["schemas"]["Address"];
        /** @description Logical time at which the message was created, a decimal string; it is the created_lt of a message object. */
        created_lt: components["schemas"]["LogicalTime"];
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAddressInformation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Which account to read, and as of when. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GetAddressInformationRequest"];
            };
        };
        responses: {
            /** @description The state of the account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetAddressInformationEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getConsensusBlock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An empty JSON object. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The latest consensus block. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetConsensusBlockEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getMasterchainInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The head of the masterchain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMasterchainInfoEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getOutMsgQueueSize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description An empty JSON object. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmptyRequest"];
            };
        };
        responses: {
            /** @description The sizes of the queues. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetOutMsgQueueSizeEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    getTransactionsStd: {
        parameters: {
            query: {
                /** @description Address of the account, in raw or user-friendly form. */
                address: components["parameters"]["address"];
                /** @description Number of transactions to return at most. */
                limit?: components["parameters"]["limit"];
                /** @description Logical time of the transaction to start from, a decimal string, given together with hash. The lt of last_transaction_id starts at the most recent one; the lt of previous_transaction_id starts the next page. */
                lt?: components["parameters"]["lt"];
                /** @description Hash of the transaction to start from, given together with lt, as hexadecimal (64 characters) or base64 (44 characters). */
                hash?: components["parameters"]["hash"];
                /** @description Logical time to stop at, a decimal string; transactions with this lt or a lower one are left out. 0 bounds nothing. */
                to_lt?: components["parameters"]["to_lt"];
                /** @description Whether to ask nodes that keep the whole history, for transactions older than about two days; such requests may be slower. */
                archival?: components["parameters"]["archival"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTransactionsStdEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    lookupBlock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description What to find the block by. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookupBlockRequest"];
            };
        };
        responses: {
            /** @description The identifier of the block. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LookupBlockEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["BlockNotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    tryLocateResultTx: {
        parameters: {
            query: {
                /** @description Address of the sender, in raw or user-friendly form. */
                source: components["parameters"]["source"];
                /** @description Address of the recipient, in raw or user-friendly form. */
                destination: components["parameters"]["destination"];
                /** @description Logical time at which the message was created, a decimal string; it is the created_lt of a message object. */
                created_lt: components["parameters"]["created_lt"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction that consumed the message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryLocateResultTxEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ResultTransactionNotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
    tryLocateSourceTx: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Which message to start from. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryLocateSourceTxRequest"];
            };
        };
        responses: {
            /** @description The transaction that sent the message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryLocateSourceTxEnvelope"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SourceTransactionNotFound"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["UnexpectedFailure"];
        };
    };
}
