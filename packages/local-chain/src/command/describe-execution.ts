import { Cell, loadTransaction, type Transaction as ParsedTransaction } from "@ton/core";
import type { Transaction } from "../domain.ts";
import { type Described, Told } from "./described.ts";

/** How a transaction went: what began it, what it did to the account's status, and where it failed. */
export function describeExecution({ data }: Pick<Transaction, "data">): Described {
  const [root] = Cell.fromBoc(Buffer.from(data));
  if (!root) throw new Error("a transaction's bag of cells has no root");
  const parsed = loadTransaction(root.beginParse());
  const { description, oldStatus, endStatus } = parsed;
  return {
    begun_by: originOf(parsed),
    status: oldStatus === endStatus ? endStatus : `${oldStatus} -> ${endStatus}`,
    ...(description.type === "generic" || description.type === "tick-tock"
      ? {
          aborted: new Told(description.aborted, description.aborted ? "yes" : "no"),
          compute: computeText(description.computePhase),
          action: description.actionPhase ? actionText(description.actionPhase) : undefined,
        }
      : {}),
    bounce: description.type === "generic" ? description.bouncePhase?.type : undefined,
  };
}

type Generic = Extract<ParsedTransaction["description"], { type: "generic" }>;

function originOf({ inMessage, description }: ParsedTransaction): string {
  if (description.type === "tick-tock") return description.isTock ? "the clock (tock)" : "the clock (tick)";
  if (inMessage?.info.type === "external-in") return "a message from outside";
  return inMessage?.info.type === "internal" && inMessage.info.bounced ? "a message that bounced" : "a message";
}

function computeText(phase: Generic["computePhase"]): string {
  if (phase.type === "skipped") return `skipped: ${phase.reason}`;
  return `exit code ${phase.exitCode}, gas ${phase.gasUsed} of ${phase.gasLimit}, ${phase.vmSteps} steps`;
}

function actionText({ resultCode, totalActions, messagesCreated }: NonNullable<Generic["actionPhase"]>): string {
  return `result code ${resultCode}, actions ${totalActions}, messages ${messagesCreated}`;
}
