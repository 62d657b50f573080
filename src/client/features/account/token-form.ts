import { CreateApiTokenInput, MAX_API_TOKEN_DAYS } from "@shared/api-tokens.ts";
import { localDate, parseLocalTime } from "@shared/shanghai.ts";
import { DAY_SECONDS } from "@shared/time.ts";
import { z } from "zod";
import { INCOMPLETE, incompleteDate } from "@/components/date-input";
import { serverNow } from "@/lib/server-time";

/** Days from now, or the last day. */
export const TOKEN_ENDS = ["30", "90", "365", "date"] as const;
const TokenEnd = z.enum(TOKEN_ENDS);

/** The shared rules; the end is chosen or typed as a day, and the addresses are typed as one text. */
export const TokenForm = z
  .strictObject({
    name: CreateApiTokenInput.shape.name,
    scope: CreateApiTokenInput.shape.scope,
    ends: TokenEnd,
    endDate: z.string(),
    allowedAddresses: z
      .string()
      .transform(splitAddresses)
      .pipe(CreateApiTokenInput.shape.allowedAddresses.unwrap()),
  })
  .superRefine((fields, context) => {
    const end = readEnd(fields);
    if (end.kind === "problem") {
      context.addIssue({ code: "custom", path: ["endDate"], message: end.message });
    }
  });
export type TokenForm = z.output<typeof TokenForm>;
export type TokenValues = z.input<typeof TokenForm>;

export const NEW_TOKEN_VALUES: TokenValues = {
  name: "",
  scope: "read",
  ends: "90",
  endDate: "",
  allowedAddresses: "",
};

type EndFields = Pick<TokenValues, "ends" | "endDate">;
type EndReading = { kind: "end"; at: number } | { kind: "problem"; message: string };

/** When the token expires, in Unix seconds by the server's clock, or what is wrong with the day. */
export function readEnd({ ends, endDate }: EndFields, now: number = serverNow()): EndReading {
  if (ends !== "date") return { kind: "end", at: now + Number(ends) * DAY_SECONDS };
  if (endDate === INCOMPLETE) return problem(incompleteDate("到期日"));

  const start = parseLocalTime(`${endDate}T00:00`);
  if (start === null) return problem("请选择到期日");

  const latest = now + MAX_API_TOKEN_DAYS * DAY_SECONDS;
  const end = start + DAY_SECONDS - 1;
  if (end <= now) return problem("到期日不能早于今天");
  if (start > latest) return problem(`到期日最晚是 ${localDate(latest)}`);
  return { kind: "end", at: Math.min(end, latest) };
}

function problem(message: string): EndReading {
  return { kind: "problem", message };
}

function splitAddresses(text: string): string[] {
  return text.split(/[\s,，;；、]+/).filter((address) => address !== "");
}

/** Of fields that the form accepts. */
export function tokenInput({ ends, endDate, ...rest }: TokenForm): CreateApiTokenInput {
  const end = readEnd({ ends, endDate });
  if (end.kind === "problem") throw new Error("the form is invalid");
  return { ...rest, expiresAt: end.at };
}
