import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { SimulatorControl } from "./control.ts";
import { CallMatch, FaultRule } from "./faults.ts";
import { readBody } from "./request.ts";

/**
 * The control as JSON under `/__control/…`, for when the simulator is a process of its own.
 * 200 with the result, 400 `{message}` for a body that does not fit, 404 for an unknown route.
 */
export async function answerControlCall(
  control: SimulatorControl,
  http: { request: IncomingMessage; response: ServerResponse; url: URL },
  signal: AbortSignal,
): Promise<void> {
  const { request, response, url } = http;
  const name = `${request.method} ${url.pathname.replace(/^\/__control\//, "")}`;
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
  if (route === undefined) return send(response, 404, { message: `no such control: ${name}` });
  try {
    const text = await readBody(request);
    const body: unknown = text === "" ? {} : JSON.parse(text);
    send(response, 200, await route(control, { body, query: url.searchParams, signal }));
  } catch (error) {
    if (signal.aborted) return;
    const message = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    send(response, 400, { message });
  }
}

interface ControlCall {
  body: unknown;
  query: URLSearchParams;
  signal: AbortSignal;
}

const Selection = z.strictObject({
  ids: z.array(z.string()).optional(),
  count: z.int().min(0).optional(),
  projectId: z.string().optional(),
  region: z.string().optional(),
});
const Patch = z.record(z.string(), z.json());
const Addition = z.strictObject({
  region: z.string(),
  projectId: z.string().optional(),
  count: z.int().min(1).max(100_000).optional(),
  patch: Patch.optional(),
});
const Count = z.strictObject({ count: z.int().min(1).optional() });
const Ids = z.strictObject({ ids: z.array(z.string()).optional() });
const Latency = z.strictObject({ latencyMs: z.number().min(0), jitterMs: z.number().min(0).optional() });
const RegionSwitch = z.strictObject({ region: z.string(), open: z.boolean() });

const ROUTES: Readonly<Record<string, (control: SimulatorControl, call: ControlCall) => unknown>> = {
  "GET projects": (control) => ({ projects: control.projects() }),
  "GET regions": (control) => ({ opened: control.regions(), all: control.regions("all") }),
  "POST regions": (control, { body }) => {
    const { region, open } = RegionSwitch.parse(body);
    control.setRegionOpen(region, open);
    return { opened: control.regions() };
  },
  "GET hosts": (control, { query }) => {
    const id = query.get("id");
    if (id !== null) return { host: control.host(id) ?? null };
    const hosts = control.hosts({
      projectId: query.get("projectId") ?? undefined,
      region: query.get("region") ?? undefined,
    });
    return { total: hosts.length, hosts };
  },
  "POST hosts/remove": (control, { body }) => ({ ids: control.removeHosts(Selection.parse(body)) }),
  "POST hosts/restore": (control, { body }) => ({ ids: control.restoreHosts(Ids.parse(body)) }),
  "POST hosts/add": (control, { body }) => ({ ids: control.addHosts(Addition.parse(body)) }),
  "POST hosts/update": (control, { body }) => {
    const { patch, ...selection } = Selection.extend({ patch: Patch }).parse(body);
    return { ids: control.updateHosts(selection, patch) };
  },
  "GET faults": (control) => ({ faults: control.faults() }),
  "POST faults": (control, { body }) => {
    const rules = z.union([FaultRule.transform((rule) => [rule]), z.array(FaultRule)]).parse(body);
    return { ids: control.addFaults(...rules) };
  },
  "DELETE faults": (control, { query }) => {
    const id = query.get("id");
    if (id !== null) return { removed: control.removeFault(id) };
    control.clearFaults();
    return {};
  },
  "POST latency": (control, { body }) => {
    const { latencyMs, jitterMs } = Latency.parse(body);
    control.setLatency(latencyMs, jitterMs);
    return {};
  },
  "POST hold": (control, { body }) => {
    control.hold(CallMatch.parse(body));
    return {};
  },
  "POST release": (control, { body }) => ({ released: control.release(Count.parse(body).count) }),
  // long poll: answers when that many calls are frozen
  "POST wait-held": async (control, { body, signal }) => {
    await control.waitForHeld(Count.parse(body).count, signal);
    return { held: control.calls().held };
  },
  "GET calls": (control) => control.calls(),
  "DELETE calls": (control) => {
    control.resetCalls();
    return {};
  },
  "POST reset": (control) => {
    control.reset();
    return {};
  },
};

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}
