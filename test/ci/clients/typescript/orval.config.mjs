export default {
  workgate: {
    input: 'openapi.json',
    output: { target: 'orval/client.ts', client: 'fetch', baseUrl: `${process.env['ORIGIN']}/api/external/v1` },
  },
}
