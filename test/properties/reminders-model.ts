import { z } from "zod";
import { localDay } from "../../src/shared/shanghai.ts";
import type { Queryable } from "../harness/database.ts";

const MARKS = [7, 3, 1, 0];
const EXPIRED = -1;

const Seconds = z.coerce.number();
const End = z.object({
  /** Of the assignment, or of the host at the provider. */
  id: z.string(),
  kind: z.enum(["assignment", "host"]),
  at: Seconds,
  isRenewed: z.boolean(),
  /** Null where it is disabled, or a renewal of the end is open. */
  clientId: z.string().nullable(),
  adminId: z.string().nullable(),
});
type End = z.infer<typeof End>;

/** What stands in the tables of the product. */
const ENDS = `
  select a.id, 'assignment' as kind, a.assigned_expire_time as at, false as "isRenewed",
    case when c.is_active and not exists (
      select from renewals r
      where r.assignment_id = a.id and r.status in ('pending', 'approved')
    ) then c.id end as "clientId",
    (select admin.id from users admin where admin.id = c.admin_id and admin.is_active) as "adminId"
  from assignments a
  join hosts h on h.id = a.host_id and h.gone_at is null
  join users c on c.id = a.user_id
  where a.ended_at is null and a.assigned_at <= $1
  union all
  select h.id, 'host', h.expire_time, h.auto_renew is true, null, null
  from hosts h
  where h.gone_at is null and h.charge_type = 'Month' and h.expire_time is not null`;

/**
 * The rules in the simplest form: it walks over the days one by one, and notices itself on which day
 * an end was set. `told` are the lines that the ledger is to have.
 */
export class RemindersModel {
  readonly told: string[] = [];
  readonly #superAdminId: string;
  readonly #setOn = new Map<string, { readonly end: number; readonly day: number }>();
  #lastDay: number | null = null;

  constructor(superAdminId: string) {
    this.#superAdminId = superAdminId;
  }

  /** After acts of people, whenever there were some. */
  async notice(database: Queryable, now: number): Promise<readonly End[]> {
    const ends = End.array().parse(await database.query(ENDS, [now]));
    for (const { id, at } of ends) {
      if (this.#setOn.get(id)?.end !== at) this.#setOn.set(id, { end: at, day: localDay(now) });
    }
    return ends;
  }

  async look(database: Queryable, now: number): Promise<void> {
    const ends = await this.notice(database, now);
    const today = localDay(now);
    for (const end of ends) {
      const mark = this.#markOf(end, today, now);
      if (mark === null) continue;
      for (const recipient of this.#recipientsOf(end)) {
        this.told.push(`${recipient} ${end.id} ${end.at} ${mark}`);
      }
    }
    this.#lastDay = today;
  }

  #markOf({ id, kind, at, isRenewed }: End, today: number, now: number): number | null {
    const first = (this.#lastDay ?? today - 1) + 1;
    for (let day = today; day >= first; day--) {
      const mark = localDay(at) - day;
      const isMark = mark === EXPIRED || MARKS.includes(mark);
      const wasSet = (this.#setOn.get(id)?.day ?? day) <= day;
      if (!isMark || !wasSet) continue;

      if (kind === "host" && isRenewed && mark !== EXPIRED) return null;
      return day < today && mark >= 0 && at <= now ? null : mark;
    }
    return null;
  }

  #recipientsOf({ clientId, adminId }: End): string[] {
    return [clientId, adminId, this.#superAdminId].flatMap((id) => (id === null ? [] : [id]));
  }
}
