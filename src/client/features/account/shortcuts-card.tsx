import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { SwitchField } from "@/components/ui/switch";
import { useSingleKeys } from "@/session/single-keys";

export function ShortcutsCard() {
  const [isOn, setOn] = useSingleKeys();
  return (
    <Card>
      <CardHeader>
        <CardTitle>快捷键</CardTitle>
      </CardHeader>
      <CardContent>
        <SwitchField
          label="单键快捷键"
          description="按一个键就执行，例如按 / 搜索。用语音输入，或容易误触时，可以关闭。只对当前浏览器生效。"
          checked={isOn}
          onCheckedChange={setOn}
        />
      </CardContent>
    </Card>
  );
}
