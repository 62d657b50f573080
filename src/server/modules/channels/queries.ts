import type { SqlEntityManager } from "@mikro-orm/postgresql";
import type { IdInput } from "../../../shared/ids.ts";
import type { NoticeChannel } from "../../../shared/notice-channels.ts";
import { kyselyOf } from "../../platform/database/kysely.ts";
import { AppError } from "../../platform/errors.ts";
import type { ChannelsDeps } from "./deps.ts";
import { presentChannel } from "./present.ts";
import { openSetup } from "./sealed-config.ts";

type ReadDeps = Pick<ChannelsDeps, "em" | "clock" | "secrets">;

/** The oldest first; a limit keeps them few. */
export async function listChannels(deps: ReadDeps): Promise<NoticeChannel[]> {
  const rows = await selectChannels(deps).orderBy("c.id").execute();
  return rows.map((row) => presentRow(deps, row));
}

export async function getChannel(deps: ReadDeps, { id }: IdInput): Promise<NoticeChannel> {
  const row = await selectChannels(deps).where("c.id", "=", id).executeTakeFirst();
  if (row === undefined) throw channelNotFound();
  return presentRow(deps, row);
}

/** With its sealed configuration, for who sends through it. Throws NOT_FOUND. */
export async function findChannel(em: SqlEntityManager, id: string) {
  const channel = await kyselyOf(em)
    .selectFrom("notice_channels")
    .select(["id", "name", "type", "configSealed"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (channel === undefined) throw channelNotFound();
  return channel;
}

/** With their last delivery that was tried. One row of the index is read for each. */
function selectChannels({ em }: ReadDeps) {
  return kyselyOf(em)
    .selectFrom("notice_channels as c")
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("notice_deliveries as d")
          .select(["d.status", "d.lastAttemptAt", "d.error"])
          .whereRef("d.channelId", "=", "c.id")
          .where("d.lastAttemptAt", "is not", null)
          .orderBy("d.lastAttemptAt", "desc")
          .orderBy("d.id", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .select([
      "c.id",
      "c.name",
      "c.type",
      "c.isActive",
      "c.types",
      "c.configSealed",
      "c.pausedUntil",
    ])
    .select(["last.status", "last.lastAttemptAt", "last.error"]);
}

type FoundChannel = Awaited<ReturnType<ReturnType<typeof selectChannels>["execute"]>>[number];

function presentRow(deps: ReadDeps, row: FoundChannel): NoticeChannel {
  const { status, lastAttemptAt: at, error } = row;
  const lastDelivery = status === null || at === null ? null : { status, at, error };
  const isPaused = row.pausedUntil !== null && row.pausedUntil > deps.clock.now();
  const channel = { ...row, pausedUntil: isPaused ? row.pausedUntil : null };
  return presentChannel(channel, openSetup(deps, row), lastDelivery);
}

export function channelNotFound(): AppError {
  return new AppError("NOT_FOUND", "通知渠道不存在或已被删除");
}
