import { ProviderFailure } from "../provider/failure.ts";
import { type HostPage, MAX_PAGE_SIZE, type RejectedHost } from "../provider/uhost-api.ts";
import { isWorthReadingAgain, MAX_TOTAL, type Pass } from "./rules.ts";

/** Pages of one place asked for at once. */
const PAGES_AT_ONCE = 5;
/** So many pages in a row without a host that was not on another page end a reading. */
const MAX_BARREN_PAGES = PAGES_AT_ONCE;
/** So many failed pages end it too: each has cost its retries already. */
const MAX_FAILED_PAGES = 3;

export interface PageSource {
  /** A reading begins, the first or the second. */
  onPass(): void;
  /** @throws ProviderFailure; anything else ends the whole run. */
  fetchPage(offset: number): Promise<HostPage>;
  /** Every page as it comes; a host may come on several. */
  onPage(page: HostPage): void;
  /** What the provider now announces for this place. */
  onTotal(total: number): void;
  /** A page that could not be read; `offset` of its first host. */
  onFailedPage(failure: ProviderFailure, offset: number): void;
}

/** `notOpened`: the account may not use this region. */
export type Reading = { readonly kind: "read"; readonly pass: Pass } | { readonly kind: "not-opened" | "failed" };

/** Reads one region of one project to its end, twice when the list moved meanwhile. Always ends, whatever the provider answers. */
export async function readPlace(source: PageSource): Promise<Reading> {
  const reading = await readOnce(source);
  if (reading.kind !== "read" || !isWorthReadingAgain(reading.pass)) return reading;
  const second = await readOnce(source);
  if (second.kind !== "not-opened") return second;
  source.onFailedPage(new ProviderFailure("not-opened"), 0);
  return { kind: "failed" };
}

async function readOnce(source: PageSource): Promise<Reading> {
  source.onPass();
  const first = await tryPage(source, 0);
  if (first instanceof ProviderFailure) {
    if (first.kind === "not-opened") return { kind: "not-opened" };
    source.onFailedPage(first, 0);
    return { kind: "failed" };
  }
  const ids = new Set<string>();
  const rejectedIds = new Set<string>();
  // Twice as many as announced: room for a list that grows, an end for one that always does.
  const maxPages = 10 + 2 * Math.ceil(Math.min(first.total, MAX_TOTAL) / MAX_PAGE_SIZE);
  const pass = { total: first.total, totalMoved: false, repeated: 0, rejected: 0, failedPages: 0 };
  let pages = 0;
  let barrenPages = 0;
  let offset = 0;
  const refused: { readonly failure: ProviderFailure; readonly offset: number }[] = [];

  function absorb(page: HostPage): void {
    const before = ids.size;
    for (const { ucloudId } of page.hosts) ids.add(ucloudId);
    barrenPages = ids.size > before ? 0 : barrenPages + 1;
    const fresh = page.rejected.filter(isFirstOf(rejectedIds)).length;
    pass.repeated += page.hosts.length - (ids.size - before) + page.rejected.length - fresh;
    pass.rejected += fresh;
    pass.totalMoved ||= page.total !== pass.total;
    pass.total = page.total;
    source.onTotal(page.total);
    source.onPage(page);
  }

  function nextOffset(): number | null {
    const isOver = barrenPages >= MAX_BARREN_PAGES || pass.failedPages >= MAX_FAILED_PAGES || pages >= maxPages;
    // An offset at or beyond the total is an error at the provider.
    if (isOver || offset + MAX_PAGE_SIZE >= pass.total) return null;
    pages += 1;
    offset += MAX_PAGE_SIZE;
    return offset;
  }

  async function readOn(): Promise<void> {
    for (let next = nextOffset(); next !== null; next = nextOffset()) {
      const page = await tryPage(source, next);
      if (page instanceof ProviderFailure) {
        pass.failedPages += 1;
        if (page.kind === "not-opened") refused.push({ failure: page, offset: next });
        else source.onFailedPage(page, next);
      } else {
        absorb(page);
      }
    }
  }

  absorb(first);
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, readOn));
  for (const { failure, offset } of refused) {
    // A list that has become shorter meanwhile does not have that page any more.
    if (pass.totalMoved && offset >= pass.total) pass.failedPages -= 1;
    else source.onFailedPage(failure, offset);
  }
  return { kind: "read", pass: { ...pass, distinct: ids.size } };
}

/** A record without an id is none that came before. */
export function isFirstOf(known: Set<string>): (record: RejectedHost) => boolean {
  return ({ ucloudId }) => {
    if (ucloudId === null) return true;
    if (known.has(ucloudId)) return false;
    known.add(ucloudId);
    return true;
  };
}

async function tryPage(source: PageSource, offset: number): Promise<HostPage | ProviderFailure> {
  try {
    return await source.fetchPage(offset);
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    throw error;
  }
}
