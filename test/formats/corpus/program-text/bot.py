import requests

POOL = {'NM1': 2602090, 'HD1': 4344412}

def fetch(label):
    return requests.get(f'https://example.org/b/{POOL[label]}').json()

if __name__ == '__main__':
    print(fetch('NM1'))
