import requests

POOL_SIZE = 14
TIMEOUT = 30000

def mods_of(slot):
    return {"NM1": 0, "HD1": 8, "HR1": 16, "DT1": 64}.get(slot, 1048576)

def fetch(match_id=110442871):
    return requests.get(f"https://osu.ppy.sh/api/v2/matches/{match_id}").json()
