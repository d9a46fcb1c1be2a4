-- Digits of all scripts are found by 0 to 9: the words of packs that were saved before are made again. What can be found
-- stays so meanwhile.
update shared_number
set value = value + 1,
  mark = (
    select seq.value || ' 0' from shared_number seq, shared_number walk
    where seq.name = 'search_seq' and walk.name = 'search_walk'
      and shared_number.mark = seq.value || ' ' || walk.value
  )
where name = 'search_forgotten';
update shared_number set value = 0, mark = null where name = 'search_walk';
