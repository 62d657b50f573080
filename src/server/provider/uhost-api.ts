import type { z } from "zod";
import type { ProviderClient } from "./client.ts";
import { ProviderFailure } from "./failure.ts";
import {
  describeRejected,
  HostPageBody,
  ProviderHost,
  ProviderProject,
  ProviderRegion,
  type RejectedHost,
} from "./schemas.ts";
import type { Params } from "./sign.ts";

export const MAX_PAGE_SIZE = 100;
const MAX_LISTED_IDS = 10_000;

/** What one list of the provider covers. */
export interface Partition {
  readonly region: string;
  /** Empty for the account's default project; a sub-account must name one. */
  readonly projectId: string;
}

export function partitionKey({ region, projectId }: Partition): string {
  return `${region} ${projectId}`;
}

/** The ids of a list, each once, and how many of its rows could not be read. */
export interface Listed {
  readonly items: readonly string[];
  readonly rejected: number;
}

export interface HostPage {
  /** Hosts in the whole region and project, as the provider counts them. */
  readonly total: number;
  /** When the answered attempt was sent, in Unix seconds. */
  readonly requestedAt: number;
  readonly hosts: readonly ProviderHost[];
  readonly rejected: readonly RejectedHost[];
}

export function listRegions(client: ProviderClient, signal?: AbortSignal): Promise<Listed> {
  return listIds(client, { action: "GetRegion", key: "Regions", row: ProviderRegion }, signal);
}

export function listProjects(client: ProviderClient, signal?: AbortSignal): Promise<Listed> {
  return listIds(
    client,
    { action: "GetProjectList", key: "ProjectSet", row: ProviderProject },
    signal,
  );
}

/**
 * One page of a region and project. An `offset` at or beyond the total is an error at the provider.
 * @throws ProviderFailure
 */
export async function listHosts(
  client: ProviderClient,
  { offset, limit, ...partition }: Partition & { readonly offset: number; readonly limit: number },
  signal?: AbortSignal,
): Promise<HostPage> {
  return await readPage(client, partition, { Offset: offset, Limit: limit }, signal);
}

/**
 * Those of the named hosts that exist, asked for a hundred at a time. `total` includes rejected
 * ones; `requestedAt` is that of the oldest answer.
 */
export async function findHosts(
  client: ProviderClient,
  { ids, ...partition }: Partition & { readonly ids: readonly string[] },
  signal?: AbortSignal,
): Promise<HostPage> {
  const pages: HostPage[] = [];
  for (let start = 0; start < ids.length; start += MAX_PAGE_SIZE) {
    const chunk = ids.slice(start, start + MAX_PAGE_SIZE);
    const filter = { UHostIds: chunk, Offset: 0, Limit: MAX_PAGE_SIZE };
    const page = await readPage(client, partition, filter, signal);
    if (!isAnswerTo(chunk, page)) throw new ProviderFailure("malformed");
    pages.push(page);
  }

  const hosts = pages.flatMap((page) => page.hosts);
  const rejected = pages.flatMap((page) => page.rejected);
  const requestedAt = Math.min(...pages.map((page) => page.requestedAt));
  return { total: hosts.length + rejected.length, requestedAt, hosts, rejected };
}

/**
 * The provider ignores parameters that it does not know. Other hosts, or more than came, mean that
 * it ignored the ids; then the absence of one proves nothing.
 */
function isAnswerTo(ids: readonly string[], { hosts, rejected, total }: HostPage): boolean {
  const areNamed = hosts.every(({ ucloudId }) => ids.includes(ucloudId));
  return areNamed && total <= hosts.length + rejected.length;
}

async function readPage(
  client: ProviderClient,
  { region, projectId }: Partition,
  filter: Params,
  signal: AbortSignal | undefined,
): Promise<HostPage> {
  const params = { Region: region, ProjectId: projectId, ...filter };
  const answer = await client.call("DescribeUHostInstance", params, { signal });
  const { body, requestId, requestedAt } = answer;
  const page = HostPageBody.safeParse(body);
  if (!page.success) throw new ProviderFailure("malformed", { requestId });

  const hosts: ProviderHost[] = [];
  const rejected: RejectedHost[] = [];
  for (const item of page.data.UHostSet) {
    const host = ProviderHost.safeParse(item);
    if (host.success) hosts.push(host.data);
    else rejected.push(describeRejected(item, host.error));
  }
  return { total: page.data.TotalCount, requestedAt, hosts, rejected };
}

interface IdList {
  readonly action: string;
  /** Where the rows are in the answer. */
  readonly key: string;
  readonly row: z.ZodType<string>;
}

/** @throws ProviderFailure `malformed` also when no row is readable. */
async function listIds(
  client: ProviderClient,
  { action, key, row }: IdList,
  signal: AbortSignal | undefined,
): Promise<Listed> {
  const { body, requestId } = await client.call(action, {}, { signal });
  const rows = body[key];
  if (!Array.isArray(rows)) throw new ProviderFailure("malformed", { requestId });
  if (rows.length > MAX_LISTED_IDS) throw new ProviderFailure("too-large", { requestId });

  const ids = rows.flatMap((item) => row.safeParse(item).data ?? []);
  const rejected = rows.length - ids.length;
  if (rejected > 0 && ids.length === 0) throw new ProviderFailure("malformed", { requestId });
  return { items: [...new Set(ids)], rejected };
}
