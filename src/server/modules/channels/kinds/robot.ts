import { z } from "zod";
import type { SendOutcome } from "../message.ts";
import { PAUSE_REFUSED } from "./pauses.ts";
import type { PostResult } from "./post.ts";
import { shownAnswer } from "./shown-text.ts";

/** What a code of a robot means. */
export type RobotCode =
  | { readonly kind: "pause"; readonly seconds: number; readonly reason: string }
  /** Key, signature or address: the robot takes no message at all. */
  | { readonly kind: "refused"; readonly reason: string }
  /** What we sent was wrong. */
  | { readonly kind: "bug"; readonly reason: string };

export interface RobotAnswers {
  /** Of the service, for people. */
  readonly service: string;
  readonly codes: ReadonlyMap<number, RobotCode>;
  /** What its answer must not be shown with. */
  readonly secrets: readonly string[];
}

const Answer = z
  .union([
    z.object({ errcode: z.int(), errmsg: z.string().catch("") }),
    z.object({ code: z.int(), msg: z.string().catch("") }),
  ])
  .transform((answer) =>
    "errcode" in answer
      ? { code: answer.errcode, text: answer.errmsg }
      : { code: answer.code, text: answer.msg },
  );

/** A robot answers 200 to nearly everything; its code in the body decides. 0 is success. */
export function judgeRobot(result: PostResult, robot: RobotAnswers): SendOutcome {
  if (result.kind === "failed") return result.outcome;

  const answer = parseAnswer(result.answer.text);
  if (answer === null) {
    return { kind: "retry", error: `${robot.service}的答复无法识别，请检查地址` };
  }

  const said = shownAnswer(answer.text, robot.secrets);
  if (answer.code === 0) return { kind: "sent", answer: `${robot.service}已接受` };
  return judgeCode(answer.code, said, robot);
}

function judgeCode(code: number, said: string, { service, codes }: RobotAnswers): SendOutcome {
  const detail = `（错误码 ${code}${said === "" ? "" : `：${said}`}）`;
  const meaning = codes.get(code);
  if (meaning === undefined) {
    return { kind: "retry", error: `${service}没有接受消息${detail}` };
  }

  const error = `${meaning.reason}${detail}`;
  if (meaning.kind === "pause") return { kind: "retry", error, pauseSeconds: meaning.seconds };
  if (meaning.kind === "bug") return { kind: "refused", error, isBug: true };
  return { kind: "refused", error, pauseSeconds: PAUSE_REFUSED };
}

function parseAnswer(text: string): z.infer<typeof Answer> | null {
  try {
    return Answer.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
