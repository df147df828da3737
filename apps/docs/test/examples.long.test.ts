/** The programs in `examples/`, compiled and run against the mock. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { toRawAddress } from "@chain-query/client/address";
import { fixtures } from "@chain-query/client/testing";
import { describe, expect, test } from "vitest";
import { serveDocs } from "../src/serve.ts";
import { onePage } from "./browsing.ts";
import { address, bundle, environmentOf, mistyped, renderedNextPage, shownOutput, useExamples } from "./example-programs.ts";
import { run } from "./programs.ts";

const used = useExamples();
const shown = onePage();

test("examples compile with a strict compiler", async () => {
  expect(await used.programs.compile()).toBe("");
});

describe("the deposit watcher", () => {
  const raw = toRawAddress(address);

  /** Runs the watcher until it printed as many lines and saved its place. */
  async function watched(lines: number, form: string): Promise<string> {
    const watcher = spawn(process.execPath, ["watch.ts", form], {
      cwd: used.at("deposit-watcher"),
      env: environmentOf(used.mock),
    });
    const ended = new Promise((resolve) => watcher.once("close", resolve));
    let output = "";
    watcher.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    const saved = () => readFileSync(used.at(`deposit-watcher/last-deposit-${raw.replace(":", "_")}.json`), "utf8");
    await expect.poll(() => output.split("\n").length - 1).toBe(lines);
    await expect.poll(saved).toContain("1555000001");
    if (lines === 0) await expect.poll(() => used.mock.requests.length).toBeGreaterThan(0);
    watcher.kill("SIGINT");
    expect(await ended).toBe(0);
    return output;
  }

  test("prints each deposit once, also after a restart with another form of the address", async () => {
    const shown = shownOutput("deposit-watcher/watch.ts");
    expect(await watched(shown.split("\n").length - 1, address)).toBe(shown);
    used.mock.reset();
    expect(await watched(0, raw)).toBe("");
  });
});

test("the Telegram bot sends the balance, the problem with an address, or no details of another failure", async () => {
  const refused = `0:${"ab".repeat(32)}`;
  const texts = [`/balance ${address}`, `/balance ${mistyped}`, "hello", `/balance ${refused}`];
  used.mock.override("getAddressInformation", ({ body }) => {
    const { address } = body as { address: string };
    if (address === refused) return { status: 401, body: { ok: false, error: "API key does not exist", code: 401 } };
    return { body: { ok: true, result: fixtures.getAddressInformation.active } };
  });
  const sent: unknown[] = [];
  let asked = 0;
  // A server that speaks as much of Telegram's Bot API as the bot uses: the real one is not reachable from here.
  const telegram = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { offset, ...message } = JSON.parse(body);
    const isPoll = request.url === "/botsecret/getUpdates";
    // The user has blocked the bot.
    if (!isPoll && sent.length === 0) response.statusCode = 403;
    if (!isPoll) sent.push(message);
    else if (asked++ > 0) return; // Held open, as Telegram does.
    const result = texts.map((text, index) => ({ update_id: 7 + index, message: { chat: { id: 1 }, text } }));
    response.end(JSON.stringify({ ok: true, result: isPoll && offset === 0 ? result : {} }));
  });
  await new Promise<void>((resolve) => telegram.listen(0, "127.0.0.1", resolve));
  const { port } = telegram.address() as { port: number };
  const bot = spawn(process.execPath, [used.at("telegram-bot/bot.ts")], {
    env: environmentOf(used.mock, { TELEGRAM_API: `http://127.0.0.1:${port}`, TELEGRAM_TOKEN: "secret" }),
  });
  const ended = new Promise((resolve) => bot.once("close", resolve));
  try {
    await expect.poll(() => sent.length).toBe(4);
    expect(sent).toEqual([
      { chat_id: 1, text: expect.stringMatching(/^[\d.]+ \(active\)$/) },
      { chat_id: 1, text: expect.stringContaining("checksum") },
      { chat_id: 1, text: "Send /balance and an address." },
      { chat_id: 1, text: "The node does not respond. Please try again later." },
    ]);
  } finally {
    used.mock.reset();
    bot.kill();
    await ended;
    telegram.closeAllConnections();
    telegram.close();
  }
});

test("the React page shows the balance in a browser", async () => {
  await bundle(used, "react-page/main.tsx", "browser");
  const html = readFileSync(used.at("react-page/index.html"), "utf8").replace("./main.tsx", "./main.tsx.mjs");
  writeFileSync(used.at("react-page/index.html"), html);
  await using site = await serveDocs({ root: used.at("react-page") });
  const { page, inside } = shown();
  inside.push(site.url, used.mock.url);
  await page.goto(`${site.url}/?address=${address}&service=${used.mock.url}`);
  await page.getByText(/^[\d.]+ \(active, at block \d+\)$/).waitFor();
});

test("the Next.js page renders the problem with an address", async () => {
  expect(await renderedNextPage(used, used.mock.url, mistyped)).toMatch(/^<p role="alert">.*checksum/);
});

test("the Cloudflare Worker sends JSON, or the status of a refused address", async () => {
  const { default: worker } = await import(pathToFileURL(await bundle(used, "cloudflare-worker/worker.ts", "node")).href);
  const get = (path: string): Promise<Response> =>
    worker.fetch(new Request(`https://worker.example/${path}`), { CHAIN_QUERY_URL: used.mock.url });
  const found = await get(address);
  expect(found.status).toBe(200);
  expect(await found.json()).toEqual({ balance: expect.any(String), state: "active", seqno: expect.any(Number) });
  const refused = await get(mistyped);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toEqual({ error: expect.stringContaining("checksum") });
  const unreachable = await worker.fetch(new Request(`https://worker.example/${address}`), {
    CHAIN_QUERY_URL: "http://127.0.0.1:1",
  });
  expect(unreachable.status).toBe(502);
});

describe("the explorer", () => {
  test("prints the output of the guide", async () => {
    const { stdout } = await run(process.execPath, [used.at("explorer/explorer.ts"), address], {
      env: environmentOf(used.mock),
    });
    expect(stdout).toBe(shownOutput("explorer/explorer.ts"));
  });

  test("names the problem with an address in one line, and exits with 2", async () => {
    const failed = await run(process.execPath, [used.at("explorer/explorer.ts"), mistyped], {
      env: environmentOf(used.mock),
    }).catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^explorer: .*checksum.*\n$/) });
  });
});

describe("balances", () => {
  const other = "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz";
  const shown = shownOutput("balances/balances.ts");

  test("counts an account that is given in two forms once", async () => {
    const given = [toRawAddress(address), address, other];
    const { stdout } = await run(process.execPath, [used.at("balances/balances.ts"), ...given], {
      env: environmentOf(used.mock),
    });
    expect(stdout).toBe(shown);
  });

  test("reads lines, and goes on after one that is no address", async () => {
    const program = spawn(process.execPath, [used.at("balances/balances.ts")], { env: environmentOf(used.mock) });
    program.stdin.end([address, mistyped, other, ""].join("\n"));
    const [stdout, stderr, [code]] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "close")]);
    expect(stdout).toBe(shown);
    expect(stderr).toMatch(/^balances: .*checksum.*\n$/);
    expect(code).toBe(1);
  });
});
