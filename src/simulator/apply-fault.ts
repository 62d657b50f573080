import type { Fault } from "./faults.ts";
import { jsonReply, type Reply } from "./http-io.ts";
import { type Outcome, type Payload, refuse } from "./outcome.ts";

/** What a fault changes at each step of a call; absent = nothing. */
export interface FaultEffect {
  /** Replaces the action. */
  outcome?: Outcome;
  /** The body of a success. */
  body?: (body: Payload) => Payload;
  reply?: Reply;
}

export function effectOf(fault: Fault): FaultEffect {
  switch (fault.kind) {
    case "retCode":
      return { outcome: refuse(fault.retCode, fault.message ?? `simulated ${fault.retCode}`) };
    case "http":
      return { reply: httpReply(fault) };
    case "hang":
      return { reply: "hang" };
    case "reset":
      return { reply: "reset" };
    case "patchBody":
      return { body: (body) => patchObject(body, fault) };
    case "patchHosts":
      return { body: (body) => patchHosts(body, fault) };
  }
}

interface Patch {
  set?: Payload | undefined;
  drop?: readonly string[] | undefined;
  add?: Readonly<Record<string, number>> | undefined;
}

function patchObject(object: Payload, { set, drop = [], add = {} }: Patch): Payload {
  const fields = Object.entries({ ...object, ...set }).filter(([name]) => !drop.includes(name));
  const added = (name: string, value: unknown) => (typeof value === "number" ? value + (add[name] ?? 0) : value);
  return Object.fromEntries(fields.map(([name, value]) => [name, added(name, value)]));
}

function patchHosts(body: Payload, fault: Fault & { kind: "patchHosts" }): Payload {
  const { every = 1, replaceBy } = fault;
  const hosts = body.UHostSet;
  if (!Array.isArray(hosts)) return body;
  const patched = hosts.map((host, index) => {
    if (index % every !== 0) return host;
    return replaceBy === undefined ? patchObject(host, fault) : replaceBy;
  });
  return { ...body, UHostSet: patched };
}

function httpReply({ status = 200, headers, body }: Fault & { kind: "http" }): Reply {
  const page = `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`;
  const reply = jsonReply(body ?? page);
  return { ...reply, status, headers: { ...reply.headers, ...headers } };
}
