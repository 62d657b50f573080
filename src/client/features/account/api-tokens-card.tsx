import type { CreatedApiToken } from "@shared/api-tokens.ts";
import { Plus } from "lucide-react";
import { useState } from "react";
import { trpc } from "@/api/trpc";
import { TokenList } from "@/components/api-tokens/token-list";
import { Button } from "@/components/ui/button";
import {
  Card,
  CardAction,
  CardContent,
  CardDescription,
  CardHeader,
  CardTitle,
} from "@/components/ui/card";
import { lazyDialog } from "@/lib/lazy";
import { CreatedTokenDialog } from "./created-token-dialog";

const CreateTokenDialog = lazyDialog(() =>
  import("./create-token-dialog").then((m) => m.CreateTokenDialog),
);

/** What the user's programs call with. */
export function ApiTokensCard() {
  const tokens = trpc.auth.tokens.useQuery();
  const revoke = trpc.auth.revokeToken.useMutation();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiToken | null>(null);

  return (
    <Card>
      <CardHeader>
        <CardTitle>API 令牌</CardTitle>
        <CardDescription>
          程序用令牌代表您调用接口，权限不超过您自己。接口说明见 <ApiDocsLink />。
        </CardDescription>
        <CardAction>
          <Button variant="outline" size="sm" onClick={() => setCreating(true)}>
            <Plus />
            新建令牌
          </Button>
        </CardAction>
      </CardHeader>
      <CardContent>
        <TokenList tokens={tokens} revoke={({ id }) => revoke.mutateAsync({ id })} />
      </CardContent>
      <CreateTokenDialog open={isCreating} onOpenChange={setCreating} onCreated={setCreated} />
      <CreatedTokenDialog created={created} onClose={() => setCreated(null)} />
    </Card>
  );
}

function ApiDocsLink() {
  return (
    <a
      href="/api/docs"
      target="_blank"
      rel="noreferrer"
      className="rounded-sm text-primary-ink underline"
    >
      API 文档
    </a>
  );
}
