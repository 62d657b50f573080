import { Phone } from "lucide-react";
import { CopyButton } from "./copyable-text";
import { Button } from "./ui/button";

/** A phone number to call at a touch, and to copy where nothing can call. */
export function CallLink({ phone }: { phone: string }) {
  return (
    <span className="inline-flex items-center gap-0.5 tabular-nums">
      <Button asChild size="sm" variant="outline">
        <a href={`tel:${phone}`}>
          <Phone />
          {`拨打 ${phone}`}
        </a>
      </Button>
      <CopyButton text={phone} label="手机号" />
    </span>
  );
}
