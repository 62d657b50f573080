import type { SqlEntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { HOSTS_MISSING_GUARD } from "../../shared/sync.ts";
import { publishHostEvents } from "../hosts/publish-events.ts";
import type { CurrentHost } from "./current-hosts.ts";
import { forgetEmptiness, isEmptyForLong } from "./empty-places.ts";
import type { HostBuffer } from "./host-buffer.ts";
import { type Look, lookAgain, lookInOtherProjects } from "./look-again.ts";
import { saveCounters } from "./progress.ts";
import { EMPTY_CONFIRM_TEXT, exceedsGoneGuard, GONE_GUARD_TEXT, mostGoneAtOnce, type Place } from "./rules.ts";
import type { RunContext } from "./run-context.ts";
import type { Survey } from "./survey.ts";
import { type ReadPlace, readingOf } from "./traverse.ts";

/** Rows marked in one transaction. */
const CHUNK = 1_000;
/** Looks in a row that get no answer at all; each has cost half a minute. */
const MOST_SILENT_LOOKS = 3;

interface Known {
  readonly read: readonly ReadPlace[];
  readonly surveys: readonly Survey[];
  /** There are projects that could not even be asked: whoever is missing may be there. */
  readonly hasOthers: boolean;
}

/** Marks the hosts that are certainly not there any more, or none. Everything that speaks against it is told as an error of the run. */
export async function markGone(run: RunContext, buffer: HostBuffer, known: Known): Promise<void> {
  // For who noted them as empty since the run began. Those that were read completely are confirmed by the buffer.
  await forget(
    run,
    known.read.filter(({ outcome, isInhabited }) => isInhabited && outcome !== "complete").map(({ place }) => place),
  );
  const gone = await findGone(run, buffer, known);
  await buffer.drain();
  for (let start = 0; start < gone.length; start += CHUNK) {
    await markChunk(run, gone.slice(start, start + CHUNK));
  }
}

async function findGone(
  run: RunContext,
  buffer: HostBuffer,
  { read, surveys, hasOthers }: Known,
): Promise<CurrentHost[]> {
  const { hostsBefore, progress } = run;
  let silentLooks = 0;
  const isSilentForLong = (look: Look) => {
    silentLooks = look === "silent" ? silentLooks + 1 : 0;
    if (silentLooks < MOST_SILENT_LOOKS) return false;
    progress.addError({ region: null, projectId: null, code: "provider-silent", message: SILENT_SENTENCE });
    return true;
  };
  const unmet = (some: readonly Survey[]) =>
    some.flatMap(({ unseen }) => unseen.filter(({ ucloudId }) => !run.met.has(ucloudId)));

  const missing: Survey[] = [];
  for (const survey of surveys) {
    if (!(await mayDecide(run, survey, read)) || survey.unseen.length === 0) continue;
    const look = await lookAgainAt(run, buffer, survey);
    if (look === "certain") missing.push(survey);
    if (isSilentForLong(look)) return [];
  }
  const count = unmet(missing).length;
  if (exceedsGoneGuard(count, hostsBefore)) {
    const message = guardSentence(count, hostsBefore);
    progress.addError({ region: null, projectId: null, code: HOSTS_MISSING_GUARD, message });
    return [];
  }
  if (hasOthers) return [];
  const nowhere: Survey[] = [];
  for (const [region, missingThere] of Map.groupBy(missing, ({ place }) => place.region)) {
    const places = placesOf(region, [...read, ...surveys]);
    const look = await lookInOtherProjects(run, buffer, { missing: missingThere, places });
    if (look === "certain") nowhere.push(...missingThere);
    if (isSilentForLong(look)) return [];
  }
  return unmet(nowhere);
}

/** Each once: those that were read, and those that are not listed any more and where hosts were. */
function placesOf(region: string, known: readonly { readonly place: Place }[]): Place[] {
  const inRegion = known.map(({ place }) => place).filter((place) => place.region === region);
  return [...new Map(inRegion.map((place) => [place.projectId, place])).values()];
}

const SILENT_SENTENCE =
  "云服务商对按ID核实主机的请求没有任何应答，本次不再核实，未标记任何主机；请检查服务器到API地址的网络，恢复后重新同步";

/** Another run would say the same: only somebody who knows better can go on from here. */
function guardSentence(missing: number, hostsBefore: number): string {
  const most = mostGoneAtOnce(hostsBefore);
  return `有 ${missing} 台主机（共 ${hostsBefore} 台）未再出现，超过 ${GONE_GUARD_TEXT} 的保护阈值，未标记任何主机。请先到云平台核实：若主机仍在，请检查密钥权限后重新同步；若确已删除，请在主机列表中勾选这些主机分批“同步”（每批已删除的不超过 ${most} 台），系统会逐台核实并标记为已消失，最后再做一次完整同步`;
}

/** Whether the reading of a place is proof enough to look for what is missing in it. */
async function mayDecide(run: RunContext, survey: Survey, read: readonly ReadPlace[]): Promise<boolean> {
  const { place, present, unseen } = survey;
  const doubt = (code: string, message: string) => {
    run.progress.addError({ ...place, code, message });
    return false;
  };
  const reading = readingOf(read, place);
  const { projectIds } = run.config;
  switch (reading?.outcome) {
    case undefined:
      if (projectIds.length > 0 && !projectIds.includes(place.projectId)) {
        return doubt("project-unnamed", unnamedSentence(present));
      }
      return doubt("place-missing", unlistedSentence(place, present, read));
    case "not-opened":
      return doubt("not-opened", `该地域当前不可用，此前的 ${present} 台主机保持原状；请在云平台检查地域权限`);
    case "in-doubt":
    case "unreadable":
      return false;
    case "complete":
      // Whoever has moved away as a whole was met elsewhere.
      if (reading.total > 0 || unseen.length === 0 || (await isKnownEmpty(run, place))) return true;
      return doubt(
        "empty-answer",
        `云服务商返回空列表，但此前有 ${present} 台主机，暂不标记为已消失；请在 ${EMPTY_CONFIRM_TEXT}后再次同步确认`,
      );
  }
}

/** The operator's own doing: whether the hosts are to stay is for the operator to say. */
function unnamedSentence(present: number): string {
  return `该项目已不在配置的项目ID中，此前的 ${present} 台主机保持原状、不再更新；若仍需管理，请加回该项目ID，或用包含该项目的其他配置做一次完整同步来接管这些主机；若不再管理，请用同一密钥新建一个只填该项目ID的配置，同步后再删除它，这些主机即标记为已消失`;
}

function unlistedSentence({ region }: Place, present: number, read: readonly ReadPlace[]): string {
  if (!read.some((one) => one.place.region === region)) {
    return `云服务商本次未列出该地域，此前的 ${present} 台主机保持原状；请检查密钥权限后重新同步；若该地域已停用、主机确已删除，请在主机列表中勾选这些主机“同步”，${EMPTY_CONFIRM_TEXT}后再“同步”一次，系统会核实并标记为已消失；若那时提示地域未开通而无法核实，请用同一密钥新建配置、删除本配置，再做一次完整同步`;
  }
  return `本次未列出该项目，此前的 ${present} 台主机保持原状；请检查密钥权限和配置中的项目ID后重新同步；若已改由其他配置管理，请在本配置中填写仍要同步的项目ID，再同步那个配置；若项目确已删除，请在主机列表中勾选这些主机“同步”，${EMPTY_CONFIRM_TEXT}后再“同步”一次，系统会核实并标记为已消失`;
}

async function isKnownEmpty({ deps, lease }: RunContext, place: Place): Promise<boolean> {
  const now = deps.clock.now();
  return await lease.write((em) => isEmptyForLong(em, { configId: lease.configId, place, now }));
}

async function forget({ lease }: RunContext, places: readonly Place[]): Promise<void> {
  if (places.length === 0) return;
  await lease.write((em) => forgetEmptiness(em, { configId: lease.configId, places }));
}

/** The second look. In doubt, too, when it shows that the list left hosts out: then nothing is known of the place. */
async function lookAgainAt(run: RunContext, buffer: HostBuffer, survey: Survey): Promise<Look> {
  const { place, unseen } = survey;
  const look = await lookAgain(run, buffer, survey);
  const leftOut = unseen.filter(({ ucloudId }) => run.met.has(ucloudId)).length;
  if (look !== "certain" || leftOut === 0) return look;
  const message = `主机列表不完整：按ID又找到 ${leftOut} 台列表中没有的主机，未能确认数据完整，请稍后重新同步`;
  run.progress.addError({ ...place, code: "incomplete", message });
  return "in-doubt";
}

/** A row that was written since (another configuration, or somebody who asked for this one) is left alone. */
async function markChunk(run: RunContext, hosts: readonly CurrentHost[]): Promise<void> {
  const { deps, lease, progress } = run;
  const at = deps.clock.now();
  const gone = await lease.write(async (em) => {
    const ids = await markRows(em, { configId: lease.configId, hosts, at });
    await saveCounters(em, lease, { ...progress.counters, gone: progress.counters.gone + ids.length }, progress.errors);
    await publishHostEvents(em, { configId: lease.configId, hostIds: ids }, at);
    return ids.length;
  });
  progress.add({ gone });
  deps.metrics.syncedHosts.inc({ config: lease.configId, result: "gone" }, gone);
}

/**
 * Only rows that nobody has written since they were read: the times in them are too coarse to tell, and those of another replica may be
 * off. @returns the ids of the rows that are gone now and were not before. `at` in Unix seconds.
 */
export async function markRows(
  em: SqlEntityManager,
  marked: {
    readonly configId: string;
    readonly hosts: readonly CurrentHost[];
    readonly at: number;
  },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update hosts set gone_at = ${marked.at}, changed_at = ${marked.at}
    where id in (
      select h.id from hosts h join unnest(
        ${marked.hosts.map(({ id }) => id)}::uuid[], ${marked.hosts.map(({ version }) => version)}::text[]
      ) as t (id, version) on h.id = t.id and h.xmin::text = t.version
      where h.config_id = ${marked.configId} and h.gone_at is null
      order by h.ucloud_id collate "C" for update of h
    )
    returning id
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
