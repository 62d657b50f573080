import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

// What is done some at a time is right for the first of them in every test that has few rows. So
// each number that bounds a batch or a page has a test with one more, or a reason.

const ROOT = join(import.meta.dirname, "../..");
const NAMES = [
  String.raw`\w+_PER_(STATEMENT|DISMISSAL|FETCH|BATCH|ROUND|FRAME)`,
  String.raw`\w+_AT_A_TIME`,
  String.raw`MAX_(FOUND|HOST_IDS|NAMED_\w+|COMPARED_NAMES|SORTED_BY_END|REPLAYED|SELECTED)`,
  String.raw`MAX_(ROWS|LISTED_IDS|BATCH_\w+|PAGE_SIZE|ERRORS)`,
  "BATCH_SIZE|PAGE|CHUNK_SIZE|AT_ONCE|CAPACITY|RUNS_READ|COUNTED_PAGES|SELECTOR_LENGTH",
].join("|");
const CONSTANT = new RegExp(String.raw`^(?:export )?const (${NAMES}) = \d`, "gm");

/** A test, by its file and a part of its title; or why there is none. */
type Tried = readonly [file: string, title: string] | string;

const BEYOND = "test/api/beyond-a-batch.test.ts";
const CONFIGS = "test/api/configs.test.ts";
const HELD = "test/api/held-removals.test.ts";
const STREAM = "test/api/event-stream.test.ts";
const BACKUP = "test/slow/operations/backup.test.ts";
const MISSING = "test/slow/sync/many-missing.test.ts";

/** By the file in which the constant is, and its name. */
const BOUNDS: Readonly<Record<string, Tried>> = {
  "shared/page.ts MAX_PAGE_SIZE": ["test/console/read-pages.test.ts", "reads all of it"],
  "shared/held-hosts.ts MAX_NAMED_RESULTS": [HELD, "when more than 1,000 are dismissed"],
  "shared/batch.ts MAX_BATCH_HOSTS": ["test/api/bad-input.test.ts", "is refused with its field"],
  "server/modules/channels/kinds/markdown.ts MAX_NAMED_USERS": [
    "test/deliveries/composed-messages.test.ts",
    "names three users of a host and counts all",
  ],
  "server/modules/hosts/events.ts MAX_NAMED_HOSTS": [CONFIGS, "when more than 1,000 are assigned"],
  "server/modules/hosts/page.ts MAX_COMPARED_NAMES": [BEYOND, "are listed by name, each once"],
  "server/modules/hosts/release-hosts.ts HOSTS_PER_STATEMENT": [
    CONFIGS,
    "than fit in one statement",
  ],
  "server/modules/renewals/filters.ts MAX_HOST_IDS": [BEYOND, "each once, newest first"],
  "server/modules/renewals/page.ts MAX_FOUND": [BEYOND, "each once, newest first"],
  "server/modules/renewals/page.ts MAX_SORTED_BY_END":
    "only which way the database goes: fifty thousand requests take the tests too long",
  "server/modules/sync/held/confirm-removals.ts HOSTS_AT_A_TIME": [HELD, "are decided at a time"],
  "server/modules/sync/held/dismiss-removals.ts HOSTS_PER_DISMISSAL": [
    HELD,
    "are decided at a time",
  ],
  "server/modules/sync/run-errors.ts MAX_ERRORS": [
    "test/sync/crawl.test.ts",
    "keeps 200 errors and all that concern the whole run",
  ],
  "server/modules/sync/run/execute-run.ts HOLDS_PER_STATEMENT": [MISSING, "a run holds more"],
  "server/modules/sync/run/execute-run.ts ROWS_PER_STATEMENT": [MISSING, "a run marks more"],
  "server/modules/sync/run/host-buffer.ts BATCH_SIZE": [MISSING, "a run marks more"],
  "server/modules/sync/run/host-buffer.ts CAPACITY": [
    "test/sync/host-buffer.test.ts",
    "until some thousand hosts wait to be written",
  ],
  "server/modules/sync/schedule/queries.ts RUNS_READ": [
    "test/sync/schedule.test.ts",
    "stays paused however many runs by hand fail",
  ],
  "server/modules/sync/settling/settle-job.ts HOSTS_PER_ROUND": [
    "test/sync/settling.test.ts",
    "gets its turn beside a hundred others that never settle",
  ],
  "server/operations/backup.ts ROWS_PER_FETCH": [BACKUP, "every row of every table comes back"],
  "server/operations/read-backup.ts ROWS_PER_BATCH": [
    BACKUP,
    "every row of every table comes back",
  ],
  "server/platform/events/hub.ts PAGE": [STREAM, "replays many pages of events"],
  "server/platform/events/stream.ts MAX_REPLAYED": [STREAM, "more than 300 events behind"],
  "server/platform/events/stream.ts PAGE": [STREAM, "replays many pages of events"],
  "server/platform/http/trpc-endpoint.ts MAX_BATCH_SIZE": [
    BEYOND,
    "one call more than a request of the SDK takes",
  ],
  "server/platform/http/websocket.ts MAX_CALLS_PER_FRAME": [
    "test/sockets/connections.test.ts",
    "allows 20 calls per frame",
  ],
  "server/platform/retention/delete-in-batches.ts BATCH_SIZE": [
    "test/api/clean-up.test.ts",
    "a thousand at most with a statement",
  ],
  "server/provider/uhost-api.ts MAX_LISTED_IDS":
    "a list of regions or projects that is longer is refused as nonsense",
  "server/provider/uhost-api.ts MAX_PAGE_SIZE": [
    "test/provider/uhost-api.test.ts",
    "sends a hundred ids at a time",
  ],
  "client/components/batch/use-read-back.ts AT_ONCE":
    "it only spreads calls over time: what each of them answers is put together",
  "client/components/select-all.tsx MAX_SELECTED": ["test/console/read-pages.test.ts", "the first"],
  "client/components/user-picker.tsx SELECTOR_LENGTH": "what is beyond is found by typing",
  "client/features/configs/delete-config-dialog.tsx COUNTED_PAGES":
    "beyond, the numbers say that they are the least",
  "client/features/hosts/batch-sync-dialog.tsx CHUNK_SIZE": [
    "test/browser/lost-answers.spec.ts",
    "when a person stops it",
  ],
  "client/features/hosts/copy-hosts-button.tsx MAX_ROWS":
    "beyond, the result says how many it copied",
};

const found = globSync("**/*.{ts,tsx}", { cwd: join(ROOT, "src") }).flatMap((file) =>
  [...source(`src/${file}`).matchAll(CONSTANT)].map(([, name]) => `${file} ${name}`),
);

it("each number that bounds a batch or a page has a test with one more, or a reason", () => {
  expect(found.toSorted(), "BOUNDS in test/unit/bounds.test.ts").toEqual(
    Object.keys(BOUNDS).toSorted(),
  );
});

it.each(Object.entries(BOUNDS))("the test of %s is there: %j", (_bound, tried) => {
  if (typeof tried === "string") return;
  const [file, title] = tried;

  const isThere = existsSync(join(ROOT, file)) && source(file).includes(title);

  expect(isThere, `${file}: ${title}`).toBe(true);
});

function source(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
