// Posts to a webhook which hosts end for which user before the month is over, by the dates of
// Shanghai. Run it once a day or week, with Node.js 20.3 or newer:
//
//   npm install ./host-console-sdk-0.1.0.tgz
//   CONSOLE_URL=https://console.example.com CONSOLE_TOKEN=hct_… WEBHOOK_URL=https://… \
//     node ends-this-month.mjs
//
// The token needs the scope `read` alone. It names what its user sees: of a super admin everything,
// of an admin the hosts of its clients, of a client its own.

import process from "node:process";
import { createConsoleClient, errorCode } from "host-console-sdk";

const SHANGHAI_OFFSET_MS = 8 * 3_600_000;
const DAY_SECONDS = 86_400;
const PAGE_SIZE = 100;

const { CONSOLE_URL, CONSOLE_TOKEN, WEBHOOK_URL } = process.env;
if (!CONSOLE_URL || !CONSOLE_TOKEN || !WEBHOOK_URL) {
  console.error("Set CONSOLE_URL, CONSOLE_TOKEN and WEBHOOK_URL.");
  process.exit(1);
}

try {
  const { api } = createConsoleClient({ url: CONSOLE_URL, token: CONSOLE_TOKEN });
  const ends = await endsOfThisMonth(api);
  await post(WEBHOOK_URL, { text: describe(ends), ends });
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}

/** One line for the mail or log of whatever runs this. */
function reasonOf(error) {
  const code = errorCode(error);
  if (code === "UNAUTHENTICATED") {
    return "CONSOLE_TOKEN is refused: it has expired, was revoked, or may not be used from here.";
  }
  return code === null ? error.message : `${code}: ${error.message}`;
}

/** The ends of assignments from now to the end of the month, the next one first. */
async function endsOfThisMonth(api) {
  const now = Math.floor(Date.now() / 1000);
  const monthEnd = endOfMonth(now);
  const ends = [];

  for await (const host of hostsEndingWithin(api, Math.ceil((monthEnd - now) / DAY_SECONDS))) {
    for (const user of host.users) {
      const end = user.assignedExpireTime;
      if (end >= now && end < monthEnd) ends.push({ host: host.name, user: user.name, end });
    }
  }
  return ends.sort((one, other) => one.end - other.end);
}

async function* hostsEndingWithin(api, days) {
  for (let page = 1; ; page += 1) {
    const filter = { assignedExpiring: days, page, limit: PAGE_SIZE };
    const { hosts, pagination } = await api.hosts.list.query(filter);

    yield* hosts;
    if (page >= pagination.totalPages) return;
  }
}

/** The first second of the next month in Shanghai. Unix seconds. */
function endOfMonth(now) {
  const local = new Date(now * 1000 + SHANGHAI_OFFSET_MS);
  const nextMonth = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1);
  return (nextMonth - SHANGHAI_OFFSET_MS) / 1000;
}

function describe(ends) {
  if (ends.length === 0) return "本月没有主机到期。";

  const lines = ends.map(({ host, user, end }) => `${dateOf(end)} ${host}（${user}）`);
  return [`本月还有 ${ends.length} 台主机到期：`, ...lines].join("\n");
}

function dateOf(seconds) {
  return new Date(seconds * 1000 + SHANGHAI_OFFSET_MS).toISOString().slice(0, 10);
}

/** Chat robots want other fields: WeCom `{ msgtype: "text", text: { content: body.text } }`. */
async function post(url, body) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
}
