import { type CurrentHost, currentHostsOf } from "./current-hosts.ts";
import { isSamePlace, type Place } from "./rules.ts";
import type { RunContext } from "./run-context.ts";

/** What the database knows of a place, held against what the run has met. */
export interface Survey {
  readonly place: Place;
  /** Hosts that the database knows there. */
  present: number;
  /** Those of them that this run has not met. */
  readonly unseen: CurrentHost[];
  /** Those of them that it has met in another place only. */
  readonly elsewhere: MovedHost[];
}

export interface MovedHost extends CurrentHost {
  readonly to: Place;
}

/** Place by place, in one reading. */
export async function surveyPlaces({ lease, met, overlaps }: RunContext): Promise<Survey[]> {
  const inTwoPlaces = new Set([...overlaps.values()].flatMap((ids) => [...ids]));
  const surveys = new Map<string, Survey>();
  for await (const page of currentHostsOf(lease)) {
    for (const { place, ...host } of page) {
      const key = JSON.stringify([place.region, place.projectId]);
      const survey = surveys.get(key) ?? { place, present: 0, unseen: [], elsewhere: [] };
      surveys.set(key, survey);
      survey.present += 1;
      const to = met.get(host.ucloudId);
      if (to === undefined) survey.unseen.push(host);
      else if (!isSamePlace(to, place) && !inTwoPlaces.has(host.ucloudId)) survey.elsewhere.push({ ...host, to });
    }
  }
  return [...surveys.values()];
}
