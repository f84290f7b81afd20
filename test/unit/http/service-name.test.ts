import { describe, expect, it } from 'vitest';
import { serviceName } from '../../../src/service/http/base-url.js';

describe('the name of a service', () => {
  it.each([
    'http://localhost:8080/v2',
    'http://127.0.0.1:8080/v2',
    'http://127.1:8080/v2',
    'http://[::1]:8080/v2',
    'http://[::ffff:127.0.0.1]:8080/v2',
    'http://LOCALHOST:8080/V2/',
    'http://localhost.:8080/v2',
    'http://127.0.0.1:8080//v2',
    'http://127.0.0.1:8080/./v2//',
    'http://127.0.0.1:8080/%762',
    'http://127.0.0.1:8080',
    'http://localhost:8080/',
  ])('is one for all its spellings: %s', (text) => {
    expect(serviceName(text)).toBe('http://127.0.0.1:8080/v2');
  });

  it('leaves a usual address as it is, and keeps services apart', () => {
    for (const text of ['https://service.test/v2', 'https://service.test:8443/api/v2'])
      expect(serviceName(text)).toBe(text);
    expect(serviceName('https://Service.Test.:443//v2/')).toBe('https://service.test/v2');
    const different = ['http://127.0.0.1:1/v2', 'http://127.0.0.1:2/v2', 'http://127.0.0.1:1/v1', 'https://a.test/v2'];
    expect(new Set(different.map(serviceName)).size).toBe(4);
  });
});
