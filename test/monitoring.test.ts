import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { useApp } from "./harness/app.ts";
import { selectorsOf } from "./harness/promql.ts";
import { type Scrape, scrape } from "./harness/scrape.ts";
import { follow } from "./sockets/raw-client.ts";

const ROOT = join(import.meta.dirname, "..");
/** Prometheus adds them, or makes the metric itself. */
const TARGET_LABELS = ["instance", "job"];
const PROMETHEUS_OWN = ["up"];
/** A message of the log, whatever fields stand before it. */
const LOGGED = /\blog\s*\.(?:info|warn|error|fatal)\(\s*(?:\{[^;]*?\},\s*)?"([^"]+)"/g;
const ROWS = ["健康", "调用", "同步", "云服务商", "事件与连接", "数据库与队列", "进程"];

const Chinese = z.string().regex(/[\p{Script=Han}]/u);
const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Console[A-Z]\w+$/),
          expr: z.string(),
          for: z.string().regex(/^\d+[smh]$/),
          labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
          annotations: z.strictObject({ summary: Chinese, description: Chinese, runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});

const DataSource = z.object({ type: z.literal("prometheus"), uid: z.literal("$" + "{datasource}") });
const Place = z.object({ x: z.int(), y: z.int(), w: z.int().min(1), h: z.int().min(1) });
const Panel = z.discriminatedUnion("type", [
  z.object({ id: z.int(), type: z.literal("row"), title: Chinese, gridPos: Place }),
  z.object({
    id: z.int(),
    type: z.enum(["stat", "timeseries"]),
    title: z.string().min(1),
    description: Chinese,
    datasource: DataSource,
    gridPos: Place,
    targets: z.array(z.object({ refId: z.string(), expr: z.string(), datasource: DataSource })).min(1),
  }),
]);
const Board = z.object({
  // Grafana gives the number; the uid is ours.
  id: z.null().optional(),
  uid: z.literal("host-console"),
  title: Chinese,
  schemaVersion: z.int().min(39),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(Panel),
});

const alerts = Alerts.parse(parse(read("deploy/prometheus/alerts.yaml"))).groups.flatMap(({ rules }) => rules);
const board = Board.parse(JSON.parse(read("deploy/grafana/host-console.json")));
const manual = read("docs/operations.md");
const panels = board.panels.flatMap((panel) => (panel.type === "row" ? [] : [panel]));
const expressions = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

describe("what is watched", () => {
  const app = useApp({ simulator: { hosts: 20, regions: 2 } });

  it("alerts and board ask for metrics and labels that there are", async () => {
    const seen = await makeTraffic();
    const missing = expressions.flatMap(({ where, expr }) =>
      selectorsOf(expr)
        .filter(({ metric }) => !PROMETHEUS_OWN.includes(metric))
        .flatMap(({ metric, labels }) => {
          if (!seen.types.has(described(seen, metric))) return [`${where}: ${metric}`];
          const known = [...TARGET_LABELS, ...labelsOf(seen, metric)];
          return labels.filter((label) => !known.includes(label)).map((label) => `${where}: ${metric}{${label}}`);
        }),
    );
    expect(missing).toEqual([]);
    expect(expressions.length).toBeGreaterThan(50);
  });

  it("a misspelt expression would be found out", () => {
    expect(() => selectorsOf("sum(rate(console_sockets[5m])")).toThrow("does not parse");
    expect(selectorsOf('max(a{x="1"}) - b{y=~"2"}[5m]')).toEqual([
      { metric: "a", labels: ["x"] },
      { metric: "b", labels: ["y"] },
    ]);
  });

  it("every metric is in the manual, and the manual tells of no other", async () => {
    const { types } = await scrape(app.url);
    const told = new Set([...manual.matchAll(/`(console_\w+)/g)].map(([, name]) => name));
    expect([...types.keys()].filter((name) => !told.has(name))).toEqual([]);
    expect([...told].filter((name) => !types.has(name ?? ""))).toEqual([]);
  });

  /** Something of everything. */
  async function makeTraffic(): Promise<Scrape> {
    await using socket = await follow(`${app.url.replace("http", "ws")}/trpc`, app.root.token ?? "");
    await app.config();
    await app.root.post("/api/hosts/sync?wait=25");
    await socket.until(({ events }) => events.some(({ event }) => event.type === "sync.finished"));
    await app.anonymous.get("/api/nothing-here");
    await app.anonymous.post("/api/auth/login", { username: "nobody", password: "Wrong1Password" });
    await expect.poll(async () => (await scrape(app.url)).value("console_hosts"), { timeout: 10_000 }).not.toBeNull();
    return await scrape(app.url);
  }
});

describe("the alerts", () => {
  it("have a chapter each in the manual, which has one for no other", () => {
    const chapters = [...manual.matchAll(/^### (Console\w+)$/gm)].map(([, name]) => name);
    expect(chapters.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  it("lead to their chapter", () => {
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    }
  });

  it("tell of memory before Kubernetes kills for it", () => {
    const limit = Number(
      /memory: (\d+)Mi$/m.exec(read("deploy/kubernetes/deployment.yaml").split("limits:")[1] ?? "")?.[1],
    );
    const { expr } = alerts.find(({ alert }) => alert === "ConsoleMemory") ?? {};
    const threshold = Number(/> (\d+)$/.exec(expr?.trim() ?? "")?.[1]);
    const share = threshold / (limit * 1024 * 1024);
    expect(share).toBeGreaterThan(0.75);
    expect(share).toBeLessThan(0.8);
  });

  it("are loaded by the example of a scrape", () => {
    const Example = z.object({
      rule_files: z.array(z.string()),
      scrape_configs: z.array(z.object({ job_name: z.string(), metrics_path: z.string() })),
    });
    const { rule_files, scrape_configs } = Example.parse(parse(read("deploy/prometheus/prometheus.yaml")));
    expect(rule_files).toEqual(["alerts.yaml"]);
    expect(scrape_configs).toMatchObject([{ job_name: "host-console", metrics_path: "/metrics" }]);
    const down = alerts.find(({ alert }) => alert === "ConsoleDown");
    expect(down?.expr).toContain('job="host-console"');
  });
});

describe("the log", () => {
  it("says nothing, from info up, that its manual does not tell of", () => {
    const said = globSync("src/server/**/*.ts", { cwd: ROOT }).flatMap((file) => [...read(file).matchAll(LOGGED)]);
    const told = new Set([...read("docs/log-fields.md").matchAll(/`([^`\n]+)`/g)].map(([, text]) => text));
    expect(said.length).toBeGreaterThan(40);
    expect(said.map(([, message]) => message).filter((message) => !told.has(message))).toEqual([]);
  });
});

describe("the board", () => {
  it("has a row for each part of the product, and takes its data source from a variable", () => {
    expect(board.panels.flatMap(({ type, title }) => (type === "row" ? [title] : []))).toEqual(ROWS);
    expect(board.templating.list).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "datasource", type: "datasource" })]),
    );
  });

  it("has panels of their own numbers, none over another", () => {
    const taken = new Set<string>();
    for (const { gridPos } of board.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x},${y}`)).toBe(false);
          taken.add(`${x},${y}`);
        }
      }
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    }
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
  });

  it("shows whatever an alert looks at", () => {
    const shown = new Set(
      panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => selectorsOf(expr))).map(({ metric }) => metric),
    );
    for (const { expr } of alerts) {
      for (const { metric } of selectorsOf(expr)) {
        if (!PROMETHEUS_OWN.includes(metric)) expect([...shown]).toContain(metric);
      }
    }
  });
});

/** A histogram is described once and asked for by its parts. */
function described({ types }: Scrape, metric: string): string {
  const base = metric.replace(/_(bucket|sum|count)$/, "");
  return types.get(base) === "histogram" ? base : metric;
}

function labelsOf({ samples }: Scrape, metric: string): string[] {
  return [...new Set(samples.filter(({ name }) => name === metric).flatMap(({ labels }) => Object.keys(labels)))];
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
