import {
  bendEach,
  bendPage,
  dropKey,
  hostileText,
  inMilliseconds,
  moveTotal,
  rewriteNumber,
  setKey,
  withoutHosts,
  zeroed,
} from "./fault-bends.ts";
import type { FiredFault } from "./fault-rules.ts";
import { type Outcome, type Payload, refuse } from "./outcome.ts";
import type { Reply } from "./reply.ts";

/** Stands where raw text goes once the answer is text. */
const RAW = "@@raw@@";
/** 10000-01-01T00:00:00Z in Unix seconds. */
const YEAR_TEN_THOUSAND = 253_402_300_800;

/** Where a fault takes hold on a call's way. Absent = not there. */
export interface FaultEffect {
  delayMs?: number;
  /** Before the action runs. */
  params?: (params: ReadonlyMap<string, string>) => ReadonlyMap<string, string>;
  /** Instead of the action. */
  refusal?: Outcome;
  /** The answer as an object; only successes are bent. */
  body?: (body: Payload) => Payload;
  /** The answer as text. */
  text?: (text: string) => string;
  /** The answer on the wire. */
  reply?: (text: string) => Reply;
}

/** What each fault does. */
export function effectOf({ fault, call }: FiredFault): FaultEffect {
  switch (fault.kind) {
    case "retCode": {
      const refusal = refuse(fault.retCode, fault.message ?? `simulated ${fault.retCode}`);
      return fault.asString ? { refusal, text: retCodeAsString } : { refusal };
    }
    case "throttledUntil":
      return call <= fault.calls ? { refusal: refuse(153, "Request was throttled") } : {};
    case "httpStatus":
      return { reply: () => htmlPage(fault.status, fault.retryAfterSeconds) };
    case "hang":
      return { reply: () => ({ how: "hang" }) };
    case "reset":
      return { reply: (text) => ({ how: "reset", text: fault.at === "middle" ? text : "" }) };
    case "redirect":
      return {
        reply: () => ({ how: "http", status: fault.status ?? 302, headers: { Location: fault.location }, text: "" }),
      };
    case "notJson":
      return { text: () => fault.body ?? "<!DOCTYPE html><title>请登录</title>" };
    case "jsonScalar":
      return { text: () => JSON.stringify(fault.value) };
    case "emptyBody":
      return { text: () => "" };
    case "hugeBody":
      return { reply: () => ({ how: "huge", mebibytes: fault.mebibytes, gzip: fault.gzip ?? false }) };
    case "deepJson":
      return { text: () => `{"RetCode":0,"UHostSet":${"[".repeat(fault.depth)}${"]".repeat(fault.depth)}}` };
    case "slow":
      return { delayMs: fault.ms };
    case "slowDrip":
      return { reply: (text) => ({ how: "drip", text, bytes: fault.bytes ?? 1, everyMs: fault.everyMs }) };
    case "truncatedJson":
      return { text: (text) => text.slice(0, Math.floor(text.length / 2)) };
    case "retCodeAsString":
      return { text: retCodeAsString };
    case "wrongAction":
      return {
        body: fault.action === null ? dropKey("Action") : setKey("Action", fault.action ?? "GetRegionResposne"),
      };
    case "setField":
      return { body: setKey(fault.field, fault.value) };
    case "rawField":
      return { body: setKey(fault.field, RAW), text: (text) => text.replace(JSON.stringify(RAW), () => fault.raw) };
    case "dropField":
      return { body: dropKey(fault.field) };
    case "totalCountOff":
      return { body: moveTotal(fault.by) };
    case "totalCountMoves":
      return { body: moveTotal(fault.step * call) };
    case "emptyAnswer":
      return { body: withoutHosts({ TotalCount: 0, UHostSet: [] }) };
    case "emptyPage":
      return { body: withoutHosts({ UHostSet: [] }) };
    case "offsetIgnored":
      return { params: rewriteNumber("Offset", () => 0) };
    case "overlappingPages":
      return { params: rewriteNumber("Offset", (offset) => Math.max(0, offset - fault.by)) };
    case "shortPages":
      return { params: rewriteNumber("Limit", (limit) => Math.min(limit, fault.size), 20) };
    case "doubledPage":
      return { body: bendPage((hosts) => [...hosts, ...hosts]) };
    case "duplicatedId":
      return {
        body: bendPage((hosts) =>
          hosts.map((host, i) => (i === hosts.length - 1 ? { ...host, UHostId: hosts[0]?.UHostId } : host)),
        ),
      };
    case "missingIds":
      return { body: bendEach(dropKey("UHostId"), fault.every) };
    case "nullInHosts":
      return { body: bendEach(setKey(fault.field, null), fault.every) };
    case "setHostField":
      return { body: bendEach(setKey(fault.field, fault.value), fault.every) };
    case "dropHostField":
      return { body: bendEach(dropKey(fault.field), fault.every) };
    case "notAHost":
      return { body: bendEach(() => fault.value, fault.every) };
    case "yearTenThousand":
      return { body: bendEach(setKey("ExpireTime", YEAR_TEN_THOUSAND), fault.every) };
    case "millisecondTimes":
      return { body: bendEach(inMilliseconds, fault.every) };
    case "badText":
      return { body: bendEach(setKey(fault.field ?? "Name", hostileText(fault.text)), fault.every) };
    case "zeroValues":
      return { body: bendEach(zeroed, fault.every) };
  }
}

function retCodeAsString(text: string): string {
  return text.replace(/"RetCode":(-?\d+)/, '"RetCode":"$1"');
}

function htmlPage(status: number, retryAfterSeconds: number | undefined): Reply {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    ...(retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) }),
  };
  return {
    how: "http",
    status,
    headers,
    text: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center><hr>gateway</body></html>`,
  };
}
