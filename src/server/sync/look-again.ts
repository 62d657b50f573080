import { ProviderFailure } from "../provider/failure.ts";
import { findHosts, MAX_PAGE_SIZE } from "../provider/uhost-api.ts";
import type { CurrentHost } from "./current-hosts.ts";
import { forgetEmptiness } from "./empty-places.ts";
import type { HostBuffer } from "./host-buffer.ts";
import { isNotOurs } from "./look-elsewhere.ts";
import { isFirstOf } from "./read-place.ts";
import { isOfTheKey } from "./refusals.ts";
import { isSamePlace, type Place } from "./rules.ts";
import { failureEntry, isFirstMeeting, type RunContext } from "./run-context.ts";
import { isSilent } from "./silence.ts";
import type { Survey } from "./survey.ts";

/** What looking for hosts by id came to; `in-doubt` and `silent`, which the run's errors explain: it could not be done. */
export type Look = "certain" | "in-doubt" | "silent";

/** Looks a second time, by id, for what the list of a place did not show; what is there counts as met. */
export async function lookAgain(run: RunContext, buffer: HostBuffer, { place, unseen }: Survey): Promise<Look> {
  return await lookUpAll(run, buffer, questionsFor(place, unseen));
}

/**
 * Looks by id for hosts that are in their places no more, all of one region, in the region's other places as well: they may have come to
 * one that could not be read, or that was read before they came. What is there counts as met; the next run finds it there by itself.
 */
export async function lookInOtherProjects(
  run: RunContext,
  buffer: HostBuffer,
  { missing, places }: { readonly missing: readonly Survey[]; readonly places: readonly Place[] },
): Promise<Look> {
  const questions = places.flatMap((place) => {
    const others = missing.filter((one) => !isSamePlace(one.place, place));
    return questionsFor(
      place,
      others.flatMap(({ unseen }) => unseen),
    );
  });
  return await lookUpAll(run, buffer, questions, isNotOurs);
}

interface Question {
  readonly place: Place;
  readonly ids: readonly string[];
}

function questionsFor(place: Place, hosts: readonly CurrentHost[]): Question[] {
  return Array.from({ length: Math.ceil(hosts.length / MAX_PAGE_SIZE) }, (_, i) => {
    const asked = hosts.slice(i * MAX_PAGE_SIZE, (i + 1) * MAX_PAGE_SIZE);
    return { place, ids: asked.map(({ ucloudId }) => ucloudId) };
  });
}

/** `isNone`: failures that say that nothing is there. Any other is told as an error of the run, and ends the looking. */
async function lookUpAll(
  run: RunContext,
  buffer: HostBuffer,
  questions: readonly Question[],
  isNone: (failure: ProviderFailure) => boolean = () => false,
): Promise<Look> {
  let failed: { readonly failure: ProviderFailure; readonly place: Place } | undefined;
  const ask = async ({ place, ids }: Question) => {
    if (failed !== undefined) return;
    try {
      await lookUp(run, buffer, place, ids);
    } catch (failure) {
      if (!(failure instanceof ProviderFailure)) throw failure;
      if (!isNone(failure)) failed ??= { failure, place };
    }
  };
  await Promise.all(questions.map((question) => run.calls(() => ask(question))));
  if (failed === undefined) return "certain";
  run.progress.addError(failureEntry(failed.failure, isOfTheKey(failed.failure) ? null : failed.place));
  return isSilent(failed.failure.kind, failed.failure.retCode) ? "silent" : "in-doubt";
}

async function lookUp(run: RunContext, buffer: HostBuffer, place: Place, ids: readonly string[]): Promise<void> {
  await buffer.room();
  const page = await findHosts(run.client, { ...place, ids }, run.signal);
  // Whoever meets a host in a place takes back that it was found empty.
  if (page.total > 0) await run.lease.write((em) => forgetEmptiness(em, { configId: run.config.id, places: [place] }));
  const found = page.hosts.filter(({ ucloudId }) => isFirstMeeting(run, ucloudId, place));
  buffer.add(found.map((host) => ({ host, place, askedAt: page.askedAt })));
  run.progress.add({ rejected: page.rejected.filter(isFirstOf(run.unreadable)).length });
  // Something is there under one of these ids, even if it cannot be read.
  if (page.rejected.length > 0) throw new ProviderFailure("malformed");
}
