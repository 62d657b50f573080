export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Made for these tests and used nowhere else. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgj/XFrUf95jvefcA+
i7ZuWQdWx6qhxXjFL514y1+bsD+hRANCAATBZ9CbU8mpv1U3HvzVh4ff0nCpcG1f
W+h5eUuAIbIkz/Ws+vFTAfRTp1Uy/EJyMpuOLJfpScqodCEf9PNNpY44
-----END PRIVATE KEY-----
`;

/** For 127.0.0.1, until 2049: nothing is wrong with it but that nobody vouches for it. */
export const SELF_SIGNED: Certificate = {
  key,
  cert: `-----BEGIN CERTIFICATE-----
MIIBMjCCANigAwIBAgIJAeXk87kM5R4yMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMM
CTEyNy4wLjAuMTAeFw0yMDAxMDEwMDAwMDBaFw00OTEyMzEwMDAwMDBaMBQxEjAQ
BgNVBAMMCTEyNy4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMFn0JtT
yam/VTce/NWHh9/ScKlwbV9b6Hl5S4AhsiTP9az68VMB9FOnVTL8QnIym44sl+lJ
yqh0IR/0802ljjijEzARMA8GA1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSAAw
RQIgOdWvWLTFDKFhP+75AzAkRaZbU/TjZNZgC7CT3H6Vb8kCIQDkkEQSTW4hMMLk
JykZXWexFNVTGRzSuiqeI5BAY3r27Q==
-----END CERTIFICATE-----
`,
};
