import type { SyncRunError } from "../../shared/sync.ts";
import type { ProviderFailure } from "../provider/failure.ts";
import { listHosts, MAX_PAGE_SIZE } from "../provider/uhost-api.ts";
import { forgetEmptiness } from "./empty-places.ts";
import type { HostBuffer } from "./host-buffer.ts";
import type { Places } from "./list-places.ts";
import { NotAsked } from "./questions.ts";
import { isFirstOf, type Reading, readPlace } from "./read-place.ts";
import { explainRefusals, isOfTheKey, type Refusal } from "./refusals.ts";
import { isCompletePass, isSamePlace, MAX_TOTAL, type Pass, type Place } from "./rules.ts";
import { failureEntry, isFirstMeeting, type RunContext } from "./run-context.ts";

/** Why records could not be read: so many different reasons are told of a place. */
const MOST_REASONS = 3;

export interface ReadPlace {
  readonly place: Place;
  /** `complete`: every host of the place is known now. `not-opened`: the account may not use it. */
  readonly outcome: "complete" | "in-doubt" | "not-opened" | "unreadable";
  readonly total: number;
  /** A host was met there, readable or not. */
  readonly isInhabited: boolean;
  /** The run was halted before the place was read. */
  readonly isCut: boolean;
}

/** Undefined when the run did not read this place. */
export function readingOf(read: readonly ReadPlace[], place: Place): ReadPlace | undefined {
  return read.find((one) => isSamePlace(one.place, place));
}

/** Reads all places side by side, handing hosts to the buffer while pages arrive. */
export async function traverse(run: RunContext, buffer: HostBuffer, places: Places): Promise<ReadPlace[]> {
  const unannounced = new Set(places.all);
  const refusals: Refusal[] = [];
  const placesLeft = new Map(places.regions.map((region) => [region, places.projectIds.length]));
  run.progress.add({ regionsTotal: places.regions.length });
  run.silence.expect(places.regions);
  const read = await Promise.all(
    places.all.map(async (place) => {
      const read = await readInto(run, place, { buffer, unannounced, refusals });
      unannounced.delete(place);
      if (read.outcome === "complete" && read.total > 0) buffer.confirm(place, run.deps.clock.now());
      const left = (placesLeft.get(place.region) ?? 1) - (read.isCut ? 0 : 1);
      placesLeft.set(place.region, left);
      if (left === 0) {
        run.progress.add({ regionsDone: 1 });
        run.silence.leave(place.region);
      }
      return read;
    }),
  );
  explainRefusals(run, refusals);
  return read.map((one) => withoutOverlap(run, one));
}

/** A host is in one region and one project. Where it is listed in two, one of the lists is not what was asked for. */
function withoutOverlap({ overlaps, progress }: RunContext, read: ReadPlace): ReadPlace {
  const shared = overlaps.get(read.place);
  if (shared === undefined) return read;
  const message = `有 ${shared.size} 台主机同时出现在其他地域或项目的列表中，未能确认数据完整，请稍后重新同步`;
  progress.addError({ ...read.place, code: "overlap", message });
  return read.outcome === "complete" ? { ...read, outcome: "in-doubt" } : read;
}

interface Traversal {
  readonly buffer: HostBuffer;
  /** Places that have not said yet how many hosts they have. */
  readonly unannounced: Set<Place>;
  /** Where the key was refused. */
  readonly refusals: Refusal[];
}

async function readInto(
  run: RunContext,
  place: Place,
  { buffer, unannounced, refusals }: Traversal,
): Promise<ReadPlace> {
  const { progress } = run;
  let announced = 0;
  let rejected = 0;
  let rejectedIds: (string | null)[] = [];
  let reasons: string[] = [];
  let isReadable = false;
  let isInhabited = false;
  let isCut = false;
  const reading = await readPlace({
    fetchPage: (offset) =>
      run.questions.ask(place.region, async (client) => {
        await buffer.room();
        const page = await listHosts(client, { ...place, offset, limit: MAX_PAGE_SIZE }, run.signal);
        if (page.hosts.length + page.rejected.length > 0) await takeBackEmptiness(run, place);
        return page;
      }),
    onPass() {
      progress.add({ rejected: -rejected });
      rejected = 0;
      for (const id of rejectedIds) if (id !== null) run.unreadable.delete(id);
      rejectedIds = [];
      reasons = [];
    },
    onTotal(total) {
      const believable = Math.min(total, MAX_TOTAL);
      progress.add({ hostsTotal: believable - announced });
      announced = believable;
      unannounced.delete(place);
    },
    onPage(page) {
      isReadable = true;
      isInhabited ||= page.hosts.length + page.rejected.length > 0;
      const fresh = page.hosts.filter(({ ucloudId }) => isFirstMeeting(run, ucloudId, place));
      if (unannounced.size === 0) buffer.foresee(progress.counters.hostsTotal - run.met.size);
      buffer.add(fresh.map((host) => ({ host, place, askedAt: page.askedAt })));
      const unreadable = page.rejected.filter(isFirstOf(run.unreadable));
      rejected += unreadable.length;
      rejectedIds.push(...unreadable.map(({ ucloudId }) => ucloudId));
      reasons = someReasons([...reasons, ...page.rejected.map(({ reason }) => reason)]);
      progress.add({ rejected: unreadable.length });
      if (run.met.size > run.maxHosts) run.questions.halt("too-many-hosts");
    },
    onFailedPage(failure, offset) {
      if (failure instanceof NotAsked) {
        isCut = true;
        return;
      }
      if (isOfTheKey(failure)) {
        refusals.push({ place, failure });
        return;
      }
      progress.addError(offset > 0 && failure.kind === "not-opened" ? beyondEnd(place) : failureEntry(failure, place));
      if (isPageRejected(failure)) {
        rejected += 1;
        progress.add({ rejected: 1 });
      }
    },
  });
  if (reading.kind === "not-opened") return { place, outcome: "not-opened", total: 0, isInhabited, isCut };
  if (reading.kind === "read") explainDoubt(run, place, reading.pass, reasons);
  const total = reading.kind === "read" ? reading.pass.total : 0;
  return { place, outcome: outcomeOf(reading, isReadable), total, isInhabited, isCut };
}

/** At once, for a run that is cancelled or halted later has met hosts there all the same. */
async function takeBackEmptiness({ emptyPlaces, lease }: RunContext, place: Place): Promise<void> {
  for (const one of emptyPlaces) {
    if (!isSamePlace(one, place)) continue;
    emptyPlaces.delete(one);
    await lease.write((em) => forgetEmptiness(em, { configId: lease.configId, places: [place] }));
  }
}

function outcomeOf(reading: Reading, isReadable: boolean): ReadPlace["outcome"] {
  if (reading.kind === "read" && isCompletePass(reading.pass)) return "complete";
  return isReadable ? "in-doubt" : "unreadable";
}

/** An answer came but made no sense. */
function isPageRejected({ kind }: ProviderFailure): boolean {
  return kind === "malformed" || kind === "too-large";
}

/** The region was just read, so it is open: the provider refuses a page behind its last one in the same way. */
function beyondEnd(place: Place): SyncRunError {
  const message = "云服务商拒绝返回后续的主机，其声明的主机数量可能有误，未能确认数据完整，请稍后重新同步";
  return { ...place, code: "incomplete", message };
}

/** Each once, and no more of them than can be told and one to show that there are others. */
function someReasons(reasons: readonly string[]): string[] {
  return [...new Set(reasons)].slice(0, MOST_REASONS + 1);
}

/** Says why a place that was read is not taken for complete, unless failed pages have said it. */
function explainDoubt({ progress }: RunContext, place: Place, pass: Pass, reasons: readonly string[]): void {
  const add = (code: string, message: string) => progress.addError({ ...place, code, message });
  if (pass.rejected > 0) {
    const why = [...reasons.slice(0, MOST_REASONS), ...(reasons.length > MOST_REASONS ? ["等"] : [])].join("；");
    add(
      "rejected",
      `${pass.rejected} 条主机记录无法识别，已跳过（${why}）；请稍后重新同步，若持续出现，请联系云服务商`,
    );
  }
  if (pass.failedPages > 0 || isCompletePass(pass)) return;
  if (pass.total > MAX_TOTAL) {
    add("total-absurd", "云服务商声明的主机数量不合理，未能确认数据完整，请稍后重新同步；若持续出现，请联系云服务商");
  } else if (pass.totalMoved) add("total-moved", "读取期间主机总数一直在变化，未能确认数据完整，请稍后重新同步");
  else if (pass.distinct + pass.rejected !== pass.total) {
    add(
      "incomplete",
      `云服务商声明有 ${pass.total} 台主机，实际返回 ${pass.distinct} 台，未能确认数据完整，请稍后重新同步`,
    );
  } else if (pass.repeated > 0) {
    add("incomplete", `主机列表的分页之间有重叠（${pass.repeated} 条重复），未能确认数据完整，请稍后重新同步`);
  }
}
