import type { User } from "@shared/users.ts";
import { trpc } from "@/api/trpc";
import { TokenList } from "@/components/api-tokens/token-list";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";

/** The API tokens of a user, for super admins. */
export function UserTokens({ user }: { user: User }) {
  const tokens = trpc.users.tokens.useQuery({ id: user.id });
  const revoke = trpc.users.revokeToken.useMutation();

  return (
    <Card>
      <CardHeader>
        <CardTitle>API 令牌</CardTitle>
        <CardDescription>该用户的程序用它们调用接口，权限与该用户相同或更少。</CardDescription>
      </CardHeader>
      <CardContent>
        <TokenList
          tokens={tokens}
          revoke={({ id }) => revoke.mutateAsync({ id: user.id, tokenId: id })}
        />
      </CardContent>
    </Card>
  );
}
