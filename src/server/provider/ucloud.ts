import type { z } from "zod";
import type { ProviderClient } from "./client.ts";
import { ProviderFailure } from "./failure.ts";
import { Count, HostPageBody, ProjectItem, RegionItem } from "./parse.ts";
import { parseHost } from "./parse-host.ts";
import type { ParamValue } from "./sign.ts";
import type { HostPage, ProviderHost, ProviderProject, ProviderRegion, RejectedHost } from "./types.ts";

/** The most hosts one call may ask for. */
export const MAX_PAGE_SIZE = 100;
/** Rows of one answer, far more than there ever are: what follows costs time and memory for each. */
const MAX_ROWS = { hosts: 1_000, list: 10_000 } as const;

/** `projectId` null = the account's default project; a sub-account must name one. */
export interface HostScope {
  readonly region: string;
  readonly projectId: string | null;
}

/** What a list of the provider's named. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Rows that could not be read: there is more than `items`. */
  readonly rejected: number;
  /** Rows that are not there although the list itself counts them. */
  readonly unlisted: number;
}

/** The regions this key can see, each once, with the zones it was listed with. */
export async function listRegions(client: ProviderClient, signal?: AbortSignal): Promise<Listed<ProviderRegion>> {
  const { items, ...left } = await listRows(client, { action: "GetRegion", key: "Regions", row: RegionItem }, signal);
  const regions = new Map<string, Omit<ProviderRegion, "zones"> & { readonly zones: Set<string> }>();
  for (const row of items) {
    const known = regions.get(row.Region);
    const zones = known?.zones ?? new Set();
    if (row.Zone !== "") zones.add(row.Zone);
    regions.set(row.Region, {
      region: row.Region,
      name: known?.name ?? regionName(row),
      isDefault: row.IsDefault || (known?.isDefault ?? false),
      zones,
    });
  }
  return { items: [...regions.values()].map((region) => ({ ...region, zones: [...region.zones] })), ...left };
}

/** The projects this key can see, each once. There may be none that is the default. */
export async function listProjects(client: ProviderClient, signal?: AbortSignal): Promise<Listed<ProviderProject>> {
  const list = { action: "GetProjectList", key: "ProjectSet", countKey: "ProjectCount", row: ProjectItem } as const;
  const { items, ...left } = await listRows(client, list, signal);
  const projects = new Map<string, ProviderProject>();
  for (const row of items) {
    projects.set(row.ProjectId, { id: row.ProjectId, name: row.ProjectName, isDefault: row.IsDefault });
  }
  return { items: [...projects.values()], ...left };
}

/** One page of a region and project. `limit` at most 100; an `offset` beyond the total is an error at the provider. */
export async function describeHosts(
  client: ProviderClient,
  { offset, limit, ...scope }: HostScope & { readonly offset: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<HostPage> {
  return await readPage(client, scope, { Offset: offset, Limit: limit }, signal);
}

/** Those of the named hosts that are there now; a host that is gone is simply absent. `total` is how many were found, rejected ones included. */
export async function findHosts(
  client: ProviderClient,
  { ids, ...scope }: HostScope & { readonly ids: readonly string[] },
  signal?: AbortSignal,
): Promise<HostPage> {
  const wanted = new Set(ids);
  const hosts: ProviderHost[] = [];
  const rejected: RejectedHost[] = [];
  let askedAt = Number.POSITIVE_INFINITY;
  for (let start = 0; start < ids.length; start += MAX_PAGE_SIZE) {
    const chunk = ids.slice(start, start + MAX_PAGE_SIZE);
    const page = await readPage(client, scope, { UHostIds: chunk, Offset: 0, Limit: MAX_PAGE_SIZE }, signal);
    // Unknown parameters are ignored silently: a host nobody asked for means the filter was, and absence proves nothing.
    if (page.hosts.some(({ ucloudId }) => !wanted.has(ucloudId))) throw new ProviderFailure("malformed");
    // It says itself that there are more than it names.
    if (page.total > page.hosts.length + page.rejected.length) throw new ProviderFailure("malformed");
    askedAt = Math.min(askedAt, page.askedAt);
    hosts.push(...page.hosts);
    rejected.push(...page.rejected);
  }
  return { total: hosts.length + rejected.length, askedAt, hosts, rejected };
}

async function readPage(
  client: ProviderClient,
  { region, projectId }: HostScope,
  params: Readonly<Record<string, ParamValue>>,
  signal: AbortSignal | undefined,
): Promise<HostPage> {
  const answer = await client.call(
    "DescribeUHostInstance",
    { Region: region, ProjectId: projectId, ...params },
    { signal },
  );
  const page = HostPageBody.safeParse(answer.body);
  if (!page.success) throw new ProviderFailure("malformed", { requestId: answer.requestId });
  if (page.data.UHostSet.length > MAX_ROWS.hosts)
    throw new ProviderFailure("too-large", { requestId: answer.requestId });
  const hosts: ProviderHost[] = [];
  const rejected: RejectedHost[] = [];
  for (const item of page.data.UHostSet) {
    const result = parseHost(item);
    if ("host" in result) hosts.push(result.host);
    else rejected.push(result.rejected);
  }
  return { total: page.data.TotalCount, askedAt: answer.askedAt, hosts, rejected };
}

interface ListCall<Row extends z.ZodType> {
  readonly action: string;
  /** Where the rows are in the answer, and how many it says there are. */
  readonly key: string;
  readonly countKey?: string;
  readonly row: Row;
}

/** The readable rows of a list. Unreadable ones are logged; when none is readable the whole answer is refused. */
async function listRows<Row extends z.ZodType>(
  client: ProviderClient,
  { action, key, countKey, row }: ListCall<Row>,
  signal: AbortSignal | undefined,
): Promise<Listed<z.output<Row>>> {
  const { body, requestId } = await client.call(action, {}, { signal });
  const items = body[key];
  if (!Array.isArray(items)) throw new ProviderFailure("malformed", { requestId });
  if (items.length > MAX_ROWS.list) throw new ProviderFailure("too-large", { requestId });
  const rows = items.map((item) => row.safeParse(item)).filter((parsed) => parsed.success);
  const rejected = items.length - rows.length;
  if (rejected > 0) {
    client.log.warn({ action, rejected, providerRequestId: requestId }, "rows rejected");
    if (rows.length === 0) throw new ProviderFailure("malformed", { requestId });
  }
  const counted = countKey === undefined ? null : Count.safeParse(body[countKey]);
  const unlisted = counted?.success ? Math.max(0, counted.data - items.length) : 0;
  return { items: rows.map(({ data }) => data), rejected, unlisted };
}

/** Old answers repeat the code as the name, which says nothing. */
function regionName(row: z.output<typeof RegionItem>): string | null {
  return [row.LocalName, row.RegionName].find((name) => name !== "" && name !== row.Region) ?? null;
}
