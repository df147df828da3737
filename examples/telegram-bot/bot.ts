// A Telegram bot that responds to "/balance ADDRESS":
// TELEGRAM_TOKEN=… node bot.ts
import {
  BadRequestError,
  createClient,
  formatNano,
  InvalidArgumentError,
} from "@chain-query/client";

const chain = createClient({
  baseUrl: process.env.CHAIN_QUERY_URL ?? "http://127.0.0.1:4010",
});
const server = process.env.TELEGRAM_API ?? "https://api.telegram.org";
const token = process.env.TELEGRAM_TOKEN ?? "";

interface Update {
  update_id: number;
  message?: { chat: { id: number }; text?: string };
}

async function telegram(method: string, body: object): Promise<unknown> {
  const response = await fetch(`${server}/bot${token}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method}: HTTP ${response.status}`);
  return ((await response.json()) as { result: unknown }).result;
}

async function replyTo(text: string): Promise<string> {
  const [command, address] = text.trim().split(/\s+/);
  if (command !== "/balance" || !address)
    return "Send /balance and an address.";
  const found = await chain.getAddressInformation({ address }).safe();
  if (found.ok)
    return `${formatNano(found.result.balance)} (${found.result.state})`;
  // These texts say what to change; other failures, such as a wrong key,
  // do not concern the sender.
  const isSendersFault =
    found.error instanceof InvalidArgumentError ||
    found.error instanceof BadRequestError;
  return isSendersFault
    ? found.error.message
    : "The node does not respond. Please try again later.";
}

async function answer({ message }: Update): Promise<void> {
  if (!message?.text) return;
  const text = await replyTo(message.text);
  await telegram("sendMessage", { chat_id: message.chat.id, text });
}

for (let offset = 0; ; ) {
  try {
    // Telegram holds the request until there is an update, or 50 seconds.
    const updates = await telegram("getUpdates", { offset, timeout: 50 });
    for (const update of updates as Update[]) {
      offset = update.update_id + 1;
      // Sending fails if a user has blocked the bot; the others still get
      // an answer.
      await answer(update).catch((error) => console.error(error.message));
    }
  } catch (error) {
    console.error("will try again:", error);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
  }
}
