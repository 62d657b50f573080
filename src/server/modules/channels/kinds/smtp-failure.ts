import { z } from "zod";
import {
  type NetworkFailureKind,
  networkFailureOfCode,
} from "../../../platform/egress/network-failure.ts";
import type { SendOutcome } from "../message.ts";
import { PAUSE_REFUSED, PAUSE_WITHOUT_ANSWER } from "./pauses.ts";
import { shownAnswer } from "./shown-text.ts";

/** "Service not available": the server closes the connection, often because of too many letters. */
const CLOSING = 421;
const AUTHENTICATION_REQUIRED = 530;

const FAILURES: Readonly<Record<NetworkFailureKind, string>> = {
  "address-refused": "服务器地址指向内网、本机或保留地址，已拒绝访问",
  timeout: "邮件服务器没有及时答复",
  dns: "无法解析服务器地址中的域名",
  tls: "邮件服务器的证书校验失败，请检查服务器地址与证书，或加密方式与端口是否相符",
  network: "无法连接邮件服务器或连接中断，请检查服务器地址、端口与加密方式",
  "too-large": "邮件服务器的答复过大",
  malformed: "邮件服务器的答复无法识别，请检查端口与加密方式",
};

/** What nodemailer throws. `originalCode` is Node's, where nodemailer has put its own over it. */
const SmtpError = z.object({
  code: z.string(),
  originalCode: z.string().optional(),
  command: z.string().optional(),
  syscall: z.string().optional(),
  timeoutType: z.string().optional(),
  response: z.string().optional(),
  responseCode: z.int().optional(),
});
type SmtpError = z.infer<typeof SmtpError>;

/**
 * Whether no connection was made. nodemailer's `CONN` also stands for one that broke while the letter
 * was sent, so this looks at Node's system call and at the kind of timeout.
 */
export function isConnectFailure(error: unknown): boolean {
  const parsed = SmtpError.safeParse(error);
  if (!parsed.success) return false;

  const { syscall, timeoutType } = parsed.data;
  return syscall === "connect" || timeoutType === "CONNECT_TIMEOUT";
}

interface FailedTry {
  readonly isTimeout: boolean;
  /** What an answer must not be shown with. */
  readonly secrets: readonly string[];
}

/**
 * What a failed try means. The server's answer decides where there is one: 4xx asks for another try,
 * 5xx ends the letter. Throws what is no failure of the other side, but a bug here.
 */
export function judgeFailure(error: unknown, { isTimeout, secrets }: FailedTry): SendOutcome {
  if (isTimeout) return withoutAnswer("timeout");

  const parsed = SmtpError.safeParse(error);
  if (!parsed.success) throw error;

  const failure = parsed.data;
  if (failure.command === "STARTTLS" && failure.response !== undefined) {
    return retryLater("邮件服务器不支持 STARTTLS，请更改加密方式");
  }
  if (failure.responseCode !== undefined) return judgeAnswer(failure, secrets);
  if (failure.code === "EAUTH") {
    return refusedChannel("没有可用于登录的密码，请填写密码或授权码");
  }
  if (failure.code === "EENVELOPE") {
    return { kind: "undeliverable", error: "收件人的邮箱地址不能用于发送，请更正" };
  }
  if (failure.code === "EPROTOCOL") return withoutAnswer("malformed");

  const kind = networkFailureOfCode(failure.originalCode ?? failure.code);
  if (kind === null) throw error;
  return withoutAnswer(kind);
}

function judgeAnswer(failure: SmtpError, secrets: readonly string[]): SendOutcome {
  const { response = "", responseCode = 0 } = failure;
  const error = `${describeStep(failure)}（${shownAnswer(response, secrets)}）`;
  if (responseCode === CLOSING) return retryLater(error);
  if (responseCode < 500) return { kind: "retry", error };
  if (isOfChannel(failure)) return refusedChannel(error);
  return { kind: failure.command === "RCPT TO" ? "undeliverable" : "refused", error };
}

/** Account and sender are those of the channel, so every other letter would be refused as well. */
function isOfChannel({ code, command, responseCode }: SmtpError): boolean {
  const isSender = command === "MAIL FROM";
  return code === "EAUTH" || responseCode === AUTHENTICATION_REQUIRED || isSender;
}

/** At which step the server refused, and what a person can do about it. */
function describeStep({ code, command, responseCode }: SmtpError): string {
  if (code === "EAUTH") return "登录邮件服务器失败，请检查用户名与密码（部分邮箱须使用授权码）";
  if (responseCode === AUTHENTICATION_REQUIRED) {
    return "邮件服务器要求登录或加密，请填写用户名与密码，并检查加密方式";
  }
  if (command === "RCPT TO") return "邮件服务器没有接受收件人";
  if (command === "MAIL FROM") return "邮件服务器没有接受发件人，请检查发件人地址";
  return "邮件服务器没有接受邮件";
}

function withoutAnswer(kind: NetworkFailureKind): SendOutcome {
  return retryLater(FAILURES[kind]);
}

function refusedChannel(error: string): SendOutcome {
  return { kind: "refused", error, pauseSeconds: PAUSE_REFUSED };
}

function retryLater(error: string): SendOutcome {
  return { kind: "retry", error, pauseSeconds: PAUSE_WITHOUT_ANSWER };
}
