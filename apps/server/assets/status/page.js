// Polls /status.json once a second, and pauses while the page is hidden.
const pollInterval = 1000;
const retryInterval = 3000;
const maxPoints = 60;

const lines = { blocks: [], requests: [], errors: [], latency: [] };
let timer;

function show(id, text) {
  const element = document.getElementById(id);
  // Writing an unchanged text would disturb selections and screen readers.
  if (element.textContent !== text) element.textContent = text;
}

function number(value, digits = 0) {
  return new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

function rate(value) {
  return number(value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

function share(value) {
  return `${number(value * 100, value === 0 || value >= 0.1 ? 0 : 2)} %`;
}

function duration(ms) {
  return ms < 1000 ? `${number(ms, ms > 0 && ms < 10 ? 2 : 0)} ms` : `${number(ms / 1000, 1)} s`;
}

function ageOf(seconds) {
  if (seconds < 120) return `${number(Math.max(0, seconds))} s old`;
  return seconds < 7200 ? `${number(Math.floor(seconds / 60))} min old` : `${number(Math.floor(seconds / 3600))} h old`;
}

function state(kind, text) {
  document.getElementById("state").dataset.state = kind;
  show("state", text);
}

function draw(name, value) {
  const line = lines[name];
  line.push(value);
  if (line.length > maxPoints) line.shift();
  const most = Math.max(...line.map((one) => one ?? 0)) || 1;
  const points = line.flatMap((one, index) =>
    one === undefined ? [] : [`${((index + maxPoints - line.length) * 120) / (maxPoints - 1)},${30 - (28 * one) / most}`],
  );
  document.querySelector(`#${name}-line polyline`).setAttribute("points", points.join(" "));
}

function showChain(time, chain) {
  show("head", chain ? number(chain.seqno) : "–");
  show("age", chain ? ageOf(time - chain.time) : "–");
  show("transactions", chain?.transactions === undefined ? "–" : `${number(chain.transactions)} transactions`);
  show("blocks", chain ? rate(chain.blocksPerSecond) : "–");
  draw("blocks", chain?.blocksPerSecond);
}

function showRequests(requests) {
  show("requests", requests ? rate(requests.perSecond) : "–");
  show("requests-note", requests ? `Last ${number(Math.max(1, requests.seconds))} s` : "Last 10 s");
  show("errors", requests ? share(requests.failed) : "–");
  show("refused", requests ? share(requests.refused) : "–");
  show("latency", requests?.p50 === undefined ? "–" : duration(requests.p50));
  show("latency-most", requests?.p99 === undefined ? "–" : duration(requests.p99));
  draw("requests", requests?.perSecond);
  draw("errors", requests?.failed);
  draw("latency", requests?.p50);
}

const stateTexts = {
  disputed: "disagrees with others",
  quarantined: "left alone, was wrong",
  behind: "left out until it has new blocks",
  "other-chain": "another network",
};

// A row of each table begins with the name, the state, the newest block and how far behind it is.
function cellsOf({ name, state, seqno, lag }) {
  const block = seqno === undefined ? "–" : number(seqno);
  return [name, stateTexts[state] ?? state, block, lag === undefined ? "–" : duration(lag * 1000)];
}

function showTable(id, members, otherCells) {
  document.getElementById(id).hidden = members === undefined;
  const rows = document.getElementById(`${id}-rows`);
  const count = members?.length ?? 0;
  while (rows.rows.length > count) rows.deleteRow(-1);
  for (const [index, member] of (members ?? []).entries()) {
    const row = rows.rows[index] ?? rows.insertRow();
    for (const [column, text] of [...cellsOf(member), ...otherCells(member)].entries()) {
      const cell = row.cells[column] ?? row.insertCell();
      if (cell.textContent !== text) cell.textContent = text;
    }
    row.dataset.state = member.state;
  }
}

async function update() {
  let wait = pollInterval;
  try {
    const response = await fetch("status.json", { cache: "no-store", signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { time, network, version, chain, problem, requests, servers, databases, redis } = await response.json();
    show("about", `network ${network}, version ${version}`);
    showChain(time, chain);
    showRequests(requests);
    showTable("servers", servers, ({ latency, inFlight }) => [
      latency === undefined ? "–" : duration(latency),
      number(inFlight),
    ]);
    showTable("databases", databases, ({ inFlight }) => [number(inFlight)]);
    if (chain?.waitsUntil)
      state("bad", `Operational, but no block until ${new Date(chain.waitsUntil * 1000).toLocaleString()}`);
    else if (chain && redis === "unavailable")
      state("bad", "Operational, but Redis is unavailable: each instance counts requests alone");
    else if (chain) state("good", "Operational");
    else state("bad", `Operational, but ${problem}`);
  } catch {
    wait = retryInterval;
    state("bad", "No response; these values are old");
  }
  timer = document.hidden ? undefined : setTimeout(update, wait);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || timer !== undefined) return;
  timer = 0;
  void update();
});
timer = 0;
void update();
