import { Fragment } from "react";
import { NOTHING } from "@/lib/format";
import { CopyButton } from "./copyable-text";

/** A phone number that can be called, and copied; a dash where there is none. */
export function PhoneLink({ phone }: { phone: string | null }) {
  return <ContactLink text={phone} scheme="tel" label="手机号" />;
}

/** An address that can be written to, and copied; a dash where there is none. */
export function EmailLink({ email }: { email: string | null }) {
  return <ContactLink text={email} scheme="mailto" label="邮箱" />;
}

type ContactLinkProps = { text: string | null; scheme: "tel" | "mailto"; label: string };

function ContactLink({ text, scheme, label }: ContactLinkProps) {
  if (text === null) return <span className="text-subtle-foreground">{NOTHING}</span>;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-0.5 tabular-nums">
      <a
        href={`${scheme}:${text}`}
        className="min-w-0 rounded-sm [overflow-wrap:anywhere] text-primary-ink hover:underline"
      >
        <BreakableAddress text={text} />
      </a>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** May break before the marks of an address, so that it does not break inside of `.com`. */
export function BreakableAddress({ text }: { text: string }) {
  const parts = text.split(/(?=[@.])/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no identity
    <Fragment key={index}>
      <wbr />
      {part}
    </Fragment>
  ));
}
