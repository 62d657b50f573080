import { z } from "zod";
import { isDate, Period } from "./period";

const DateParam = z.string().refine(isDate).optional().catch(undefined);

/** The fields of a `listSearch` whose list has a `PeriodFilter`. */
export function periodParams(byDefault: Period) {
  return {
    period: Period.catch(byDefault),
    fromDate: DateParam,
    toDate: DateParam,
  };
}
