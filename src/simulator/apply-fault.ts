import type { ActiveFault } from "./call-rules.ts";
import type { Fault } from "./faults.ts";
import { jsonReply, type Reply } from "./http-io.ts";
import { type Outcome, type Payload, refuse } from "./outcome.ts";

/** What a fault changes at each step of a call; absent = nothing. */
export interface FaultEffect {
  delayMs?: number;
  /** Before the action runs. */
  params?: (params: ReadonlyMap<string, string>) => ReadonlyMap<string, string>;
  /** Replaces the action. */
  outcome?: Outcome;
  /** The body of a success. */
  body?: (body: Payload) => Payload;
  /** The JSON text. */
  text?: (text: string) => string;
  reply?: (text: string) => Reply;
}

export function effectOf({ fault, call }: ActiveFault): FaultEffect {
  switch (fault.kind) {
    case "retCode":
      return { outcome: refuse(fault.retCode, fault.message ?? `simulated ${fault.retCode}`) };
    case "http":
      return { reply: () => httpReply(fault) };
    case "hang":
      return { reply: () => ({ how: "hang" }) };
    case "reset":
      return { reply: (text) => ({ how: "reset", text: fault.at === "middle" ? text : "" }) };
    case "hugeBody":
      return {
        reply: () => ({ how: "huge", mebibytes: fault.mebibytes, gzip: fault.gzip ?? false }),
      };
    case "slow":
      return { delayMs: fault.ms };
    case "slowDrip":
      return {
        reply: (text) => ({ how: "drip", text, bytes: fault.bytes ?? 1, everyMs: fault.everyMs }),
      };
    case "truncatedJson":
      return { text: (text) => text.slice(0, Math.floor(text.length / 2)) };
    case "patchText":
      return { text: (text) => text.replace(new RegExp(fault.pattern), () => fault.by) };
    case "patchParams":
      return { params: (params) => patchParams(params, fault) };
    case "patchBody":
      return { body: (body) => addTo(patchObject(body, fault), fault.addPerCall, call) };
    case "patchHosts":
      return { body: (body) => changeHosts(body, (hosts) => patchHosts(hosts, fault)) };
    case "duplicateHosts":
      return { body: (body) => changeHosts(body, (hosts) => duplicateHosts(hosts, fault)) };
  }
}

interface Patch {
  set?: Payload | undefined;
  drop?: readonly string[] | undefined;
  add?: Numbers | undefined;
}
type Numbers = Readonly<Record<string, number>>;

function patchObject(object: Payload, { set, drop = [], add }: Patch): Payload {
  const kept = Object.entries({ ...object, ...set }).filter(([name]) => !drop.includes(name));
  return addTo(Object.fromEntries(kept), add);
}

function addTo(object: Payload, numbers: Numbers = {}, times = 1): Payload {
  const sums = Object.entries(numbers).flatMap(([name, by]) => {
    const value = object[name];
    return typeof value === "number" ? [[name, value + by * times] as const] : [];
  });
  return { ...object, ...Object.fromEntries(sums) };
}

function patchParams(
  params: ReadonlyMap<string, string>,
  { set = {}, add = {} }: Fault & { kind: "patchParams" },
): ReadonlyMap<string, string> {
  const sums = Object.entries(add).map(
    ([name, by]) => [name, String(Math.max(0, Number(params.get(name) ?? 0) + by))] as const,
  );
  return new Map([...params, ...Object.entries(set), ...sums]);
}

function changeHosts(body: Payload, change: (hosts: Payload[]) => unknown[]): Payload {
  const hosts = body.UHostSet;
  return Array.isArray(hosts) ? { ...body, UHostSet: change(hosts) } : body;
}

function patchHosts(hosts: Payload[], fault: Fault & { kind: "patchHosts" }): unknown[] {
  const { every = 1, replaceBy } = fault;
  return hosts.map((host, index) => {
    if (index % every !== 0) return host;
    return replaceBy === undefined ? patchObject(host, fault) : replaceBy;
  });
}

function duplicateHosts(
  hosts: Payload[],
  { which }: Fault & { kind: "duplicateHosts" },
): unknown[] {
  return which === "all" ? [...hosts, ...hosts] : [...hosts.slice(0, -1), ...hosts.slice(0, 1)];
}

function httpReply({ status = 200, headers, body }: Fault & { kind: "http" }): Reply {
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`;
  const reply = jsonReply(body ?? page);
  return { ...reply, status, headers: { ...reply.headers, ...headers } };
}
