import type { z } from "zod";
import type { DatedAnswer, ProviderClient } from "./client.ts";
import { ProviderFailure } from "./failure.ts";
import { HostPageBody, ProviderHost, ProviderProject, RegionRow, readHostId, rejectionReason } from "./schemas.ts";
import type { ParamValue } from "./sign.ts";

export type { ProviderHost, ProviderProject } from "./schemas.ts";

/** The most hosts that one call returns. */
export const MAX_PAGE_SIZE = 100;

/** `projectId` `""` is the account's default project; a sub-account must name one. */
export interface HostScope {
  readonly region: string;
  readonly projectId: string;
}

/** `name` is the provider's Chinese name or null; `zones` are codes such as `cn-bj2-05`. */
export interface ProviderRegion {
  readonly region: string;
  readonly name: string | null;
  readonly isDefault: boolean;
  readonly zones: readonly string[];
}

export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Rows that could not be read. */
  readonly rejected: number;
}

/** A record that could not be read; `reason` is a Chinese sentence without the provider's text. */
export interface RejectedHost {
  readonly ucloudId: string | null;
  readonly reason: string;
}

export interface HostPage {
  /** Hosts in the whole region and project, as the provider counts them. */
  readonly total: number;
  /** When the answered attempt was sent, in Unix seconds. */
  readonly askedAt: number;
  readonly hosts: readonly ProviderHost[];
  readonly rejected: readonly RejectedHost[];
}

/** The regions that the key can see, each once. @throws ProviderFailure */
export async function listRegions(client: ProviderClient, signal?: AbortSignal): Promise<Listed<ProviderRegion>> {
  const answer = await client.call("GetRegion", {}, { signal });
  const { items, rejected } = readRows(client, answer, "Regions", RegionRow);
  const regions = [...Map.groupBy(items, ({ Region }) => Region)].map(([region, rows]) => ({
    region,
    name: rows.map(regionName).find((name) => name !== null) ?? null,
    isDefault: rows.some(({ IsDefault }) => IsDefault),
    zones: [...new Set(rows.map(({ Zone }) => Zone))].filter((zone) => zone !== ""),
  }));
  return { items: regions, rejected };
}

/** The projects that the key can see, each once. None of them may be the default. @throws ProviderFailure */
export async function listProjects(client: ProviderClient, signal?: AbortSignal): Promise<Listed<ProviderProject>> {
  const answer = await client.call("GetProjectList", {}, { signal });
  const { items, rejected } = readRows(client, answer, "ProjectSet", ProviderProject);
  return { items: [...new Map(items.map((project) => [project.id, project])).values()], rejected };
}

/** One page of a region and project. An `offset` at or beyond the total is an error at the provider. @throws ProviderFailure */
export async function listHosts(
  client: ProviderClient,
  { offset, limit, ...scope }: HostScope & { readonly offset: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<HostPage> {
  return await readPage(client, scope, { Offset: offset, Limit: limit }, signal);
}

/**
 * Those of the named hosts that exist now; `total` is how many were found, rejected ones included. `askedAt` is that of the oldest
 * answer. @throws ProviderFailure
 */
export async function findHosts(
  client: ProviderClient,
  { ids, ...scope }: HostScope & { readonly ids: readonly string[] },
  signal?: AbortSignal,
): Promise<HostPage> {
  const pages: HostPage[] = [];
  for (let start = 0; start < ids.length; start += MAX_PAGE_SIZE) {
    const chunk = ids.slice(start, start + MAX_PAGE_SIZE);
    const page = await readPage(client, scope, { UHostIds: chunk, Offset: 0, Limit: MAX_PAGE_SIZE }, signal);
    // The provider ignores unknown parameters: other hosts mean that the filter was ignored, and absence proves nothing.
    const isFiltered = page.hosts.every(({ ucloudId }) => chunk.includes(ucloudId));
    if (!isFiltered || page.total > page.hosts.length + page.rejected.length) throw new ProviderFailure("malformed");
    pages.push(page);
  }
  const hosts = pages.flatMap((page) => page.hosts);
  const rejected = pages.flatMap((page) => page.rejected);
  const askedAt = Math.min(...pages.map((page) => page.askedAt));
  return { total: hosts.length + rejected.length, askedAt, hosts, rejected };
}

async function readPage(
  client: ProviderClient,
  { region, projectId }: HostScope,
  filter: Readonly<Record<string, ParamValue>>,
  signal: AbortSignal | undefined,
): Promise<HostPage> {
  // An empty ProjectId is not sent.
  const params = { Region: region, ProjectId: projectId, ...filter };
  const { body, requestId, askedAt } = await client.call("DescribeUHostInstance", params, { signal });
  const page = HostPageBody.safeParse(body);
  if (!page.success) throw new ProviderFailure("malformed", { requestId });
  const hosts: ProviderHost[] = [];
  const rejected: RejectedHost[] = [];
  for (const item of page.data.UHostSet) {
    const host = ProviderHost.safeParse(item);
    if (host.success) hosts.push(host.data);
    else rejected.push({ ucloudId: readHostId(item), reason: rejectionReason(host.error) });
  }
  return { total: page.data.TotalCount, askedAt, hosts, rejected };
}

/** The readable rows of a list. Unreadable ones are logged; when none is readable the answer is malformed. */
function readRows<Row extends z.ZodType>(
  client: ProviderClient,
  { body, requestId }: DatedAnswer,
  key: string,
  schema: Row,
): Listed<z.output<Row>> {
  const rows = body[key];
  if (!Array.isArray(rows)) throw new ProviderFailure("malformed", { requestId });
  const items = rows.map((row) => schema.safeParse(row)).flatMap(({ success, data }) => (success ? [data] : []));
  const rejected = rows.length - items.length;
  if (rejected > 0) client.log.warn({ key, rejected, providerRequestId: requestId }, "rows rejected");
  if (rejected > 0 && items.length === 0) throw new ProviderFailure("malformed", { requestId });
  return { items, rejected };
}

/** Old answers repeat the code as the name. */
function regionName(row: z.output<typeof RegionRow>): string | null {
  return [row.LocalName, row.RegionName].find((name) => name !== "" && name !== row.Region) ?? null;
}
