import { expect, it } from "vitest";
import {
  signForDingtalk,
  signForFeishu,
  signWebhook,
} from "../../src/server/modules/channels/kinds/signatures.ts";

it("DingTalk's signature is that of its documentation", () => {
  const sign = signForDingtalk(1_577_262_236_757, "SECexample0123456789");

  expect(encodeURIComponent(sign)).toBe("qf9HvUVEFxf%2BO0pPV0GZyLnmFi8MooZl79QO82mcZBk%3D");
});

it("Feishu's signature is that of its documentation", () => {
  const sign = signForFeishu(1_599_360_473, "demo-secret");

  expect(sign).toBe("3/MaVZ8JLIy4TUG+7KSFJqvUkTKd+HWY8g+56DZWq8s=");
});

it("the signature of a webhook is that of Standard Webhooks", () => {
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };

  const signature = signWebhook(message, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});
