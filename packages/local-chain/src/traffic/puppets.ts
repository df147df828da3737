/** Traffic to puppets: accounts that send to outside, change their code, publish a library, are deleted and made again. */
import { decodeShardAccount } from "@chain-query/format/accounts";
import { type Cell, CellBuilder, readBoc } from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import type { AccountId } from "@chain-query/format/identifiers";
import { COIN } from "../genesis/accounts.ts";
import type { Deployable } from "../genesis/population.ts";
import { pick, type Random } from "../random.ts";
import { type InternalMessage, internalMessage, textComment } from "./messages.ts";

/** A puppet as it is when a message to it is sent. */
interface PuppetState {
  /** Bag of cells (TL-B ShardAccount) in base64. */
  readonly shardAccount: string;
  /** Receives the balance when the puppet is deleted. */
  readonly heir: AccountId;
}

/** A message that deploys a puppet, or that makes it do something. */
export function puppetMessage(
  random: Random,
  { id, contract }: Deployable,
  { shardAccount, heir }: PuppetState,
): InternalMessage {
  const { code } = decodeShardAccount(readBoc(Buffer.from(shardAccount, "base64")));
  if (!code) return { to: id, value: coinsOnly(2n * COIN), bounce: false, deploys: contract };
  const acts: readonly (() => readonly Cell[])[] = [
    () => [sendAction(0, toOutside(random))],
    () => [setCodeAction(code.refs.length > 0 ? contract.code : longer(contract.code))],
    () => [setCodeAction(longer(contract.code)), sendAction(0, toOutside(random))],
    () => [libraryAction(2, pick(random, LIBRARIES))],
    () => [libraryAction(2, pick(random, LIBRARIES)), libraryAction(2, pick(random, LIBRARIES))],
    () => [libraryAction(random.below(2), pick(random, LIBRARIES))],
    () => [
      sendAction(
        ALL_AND_DELETE,
        internalMessage({ to: heir, value: coinsOnly(0n), bounce: false, body: textComment("farewell") }),
      ),
    ],
  ];
  return { to: id, value: coinsOnly(COIN / 5n), bounce: true, body: puppetBody(pick(random, acts)()) };
}

/** Sending mode: the whole balance, and the account is deleted. */
export const ALL_AND_DELETE = 160;
const PUPPET = 0x70757070;

/**
 * The body that makes a puppet do actions.
 *
 * TL-B `out_list_empty$_ = OutList 0`, `out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1)`.
 */
function puppetBody(actions: readonly Cell[]): Cell {
  const list = actions.reduce(
    (before, action) => new CellBuilder().ref(before).append(action).cell(),
    new CellBuilder().cell(),
  );
  return new CellBuilder().uint(PUPPET, 32).ref(list).cell();
}

/** TL-B `action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction`. */
function sendAction(mode: number, message: Cell): Cell {
  return new CellBuilder().uint(0x0ec3c86d, 32).uint(mode, 8).ref(message).cell();
}

/** TL-B `action_set_code#ad4de08e new_code:^Cell = OutAction`. */
function setCodeAction(code: Cell): Cell {
  return new CellBuilder().uint(0xad4de08e, 32).ref(code).cell();
}

/** Few, so that several puppets publish the same one. */
const LIBRARIES: readonly Cell[] = [1, 2, 3].map((number) => new CellBuilder().uint(number, 32).cell());

/**
 * Removes a library (mode 0), or adds it as a private (1) or public one (2).
 *
 * TL-B `action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction`, `libref_ref$1 library:^Cell = LibRef`.
 */
function libraryAction(mode: number, library: Cell): Cell {
  return new CellBuilder().uint(0x26fa1dd4, 32).uint(mode, 7).bit(true).ref(library).cell();
}

/** The same program in two cells: nothing (NOP), then the referenced code. */
function longer(code: Cell): Cell {
  return new CellBuilder().uint(0, 8).ref(code).cell();
}

/**
 * A message to an address outside.
 *
 * TL-B `ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed`,
 * `addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt`.
 */
function toOutside(random: Random): Cell {
  const builder = new CellBuilder().uint(3, 2).uint(0, 2).uint(1, 2).uint(64, 9).bytes(random.bytes(8));
  return builder.bigUint(0n, 64).uint(0, 32).bit(false).bit(true).ref(textComment("event")).cell();
}
